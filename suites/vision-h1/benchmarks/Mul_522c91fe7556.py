"""Mul alone: `python Mul_522c91fe7556.py [--threads N] [--json]`.

Benchmark 522c91fe755678f0f0e072bb4a847fa6ef8234b83a01b60434eff7979b785840,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('522c91fe755678f0f0e072bb4a847fa6ef8234b83a01b60434eff7979b785840', SUITE, sys.argv[1:]))
