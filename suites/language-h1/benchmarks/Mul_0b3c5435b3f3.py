"""Mul alone: `python Mul_0b3c5435b3f3.py [--threads N] [--json]`.

Benchmark 0b3c5435b3f3d0f37a82193b2d8894d07a39b9c21e464424c17a5d3abd40fec6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0b3c5435b3f3d0f37a82193b2d8894d07a39b9c21e464424c17a5d3abd40fec6', SUITE, sys.argv[1:]))
