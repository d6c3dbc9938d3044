"""Mul alone: `python Mul_a53b182d0521.py [--threads N] [--json]`.

Benchmark a53b182d05212b98f3e04a2cfd001f74f0bf4e708138a1448462bdf3a1efef5f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a53b182d05212b98f3e04a2cfd001f74f0bf4e708138a1448462bdf3a1efef5f', SUITE, sys.argv[1:]))
