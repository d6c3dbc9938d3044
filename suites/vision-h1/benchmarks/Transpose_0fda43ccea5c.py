"""Transpose alone: `python Transpose_0fda43ccea5c.py [--threads N] [--json]`.

Benchmark 0fda43ccea5ce039c2ad962082907102281f93122b5faf334e5c5ad0b71408c8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0fda43ccea5ce039c2ad962082907102281f93122b5faf334e5c5ad0b71408c8', SUITE, sys.argv[1:]))
