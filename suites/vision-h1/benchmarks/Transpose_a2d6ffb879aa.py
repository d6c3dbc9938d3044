"""Transpose alone: `python Transpose_a2d6ffb879aa.py [--threads N] [--json]`.

Benchmark a2d6ffb879aa78542df0cb9462022b826e89ee8cf3346ec4d4ba80df23ff3b72,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a2d6ffb879aa78542df0cb9462022b826e89ee8cf3346ec4d4ba80df23ff3b72', SUITE, sys.argv[1:]))
