"""Transpose alone: `python Transpose_5e9c6b7917e0.py [--threads N] [--json]`.

Benchmark 5e9c6b7917e02d1a7b247bb7ece09a9f359c2c197a27fd15feb3a8f767d2d78b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5e9c6b7917e02d1a7b247bb7ece09a9f359c2c197a27fd15feb3a8f767d2d78b', SUITE, sys.argv[1:]))
