"""Mul alone: `python Mul_e5a718672c98.py [--threads N] [--json]`.

Benchmark e5a718672c98271e2d7460838826bb14d110cdbdb4c9bed2afbfa02eb02f3797,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e5a718672c98271e2d7460838826bb14d110cdbdb4c9bed2afbfa02eb02f3797', SUITE, sys.argv[1:]))
