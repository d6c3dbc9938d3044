"""Mul alone: `python Mul_e297d93353ca.py [--threads N] [--json]`.

Benchmark e297d93353ca4df3c7599b6bfc23ef9c036bb218536fdb03a2d85c7bbefd485c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e297d93353ca4df3c7599b6bfc23ef9c036bb218536fdb03a2d85c7bbefd485c', SUITE, sys.argv[1:]))
