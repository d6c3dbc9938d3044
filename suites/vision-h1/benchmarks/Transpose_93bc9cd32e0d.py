"""Transpose alone: `python Transpose_93bc9cd32e0d.py [--threads N] [--json]`.

Benchmark 93bc9cd32e0d1dcb1b73b9cc8b050143fbe0d53eca420081804303dabd3f5280,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('93bc9cd32e0d1dcb1b73b9cc8b050143fbe0d53eca420081804303dabd3f5280', SUITE, sys.argv[1:]))
