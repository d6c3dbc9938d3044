"""Transpose alone: `python Transpose_033de6d0c696.py [--threads N] [--json]`.

Benchmark 033de6d0c696f76950f2a0b0a7acc8fd7cacf8314465137e2d8d1011e9e7bea5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('033de6d0c696f76950f2a0b0a7acc8fd7cacf8314465137e2d8d1011e9e7bea5', SUITE, sys.argv[1:]))
