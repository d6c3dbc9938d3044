"""Transpose alone: `python Transpose_47b3e8c487ce.py [--threads N] [--json]`.

Benchmark 47b3e8c487ceb51b2e03e3772d36901b03d8c0455e9205f7f759b3b9d64f8c10,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('47b3e8c487ceb51b2e03e3772d36901b03d8c0455e9205f7f759b3b9d64f8c10', SUITE, sys.argv[1:]))
