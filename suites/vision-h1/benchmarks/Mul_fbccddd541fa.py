"""Mul alone: `python Mul_fbccddd541fa.py [--threads N] [--json]`.

Benchmark fbccddd541fa6f2d3f81f0d85335eab6c2305252d97e222f446b901e3281d676,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fbccddd541fa6f2d3f81f0d85335eab6c2305252d97e222f446b901e3281d676', SUITE, sys.argv[1:]))
