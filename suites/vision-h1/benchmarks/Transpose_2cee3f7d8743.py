"""Transpose alone: `python Transpose_2cee3f7d8743.py [--threads N] [--json]`.

Benchmark 2cee3f7d87432c42e4748fedd948a88715236a717b11e2710614ebd4a09e5f40,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2cee3f7d87432c42e4748fedd948a88715236a717b11e2710614ebd4a09e5f40', SUITE, sys.argv[1:]))
