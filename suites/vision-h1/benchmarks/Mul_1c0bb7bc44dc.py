"""Mul alone: `python Mul_1c0bb7bc44dc.py [--threads N] [--json]`.

Benchmark 1c0bb7bc44dc8bb94dac2e45edd1e68ad7a60be52203f0ad174d244b706deb50,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1c0bb7bc44dc8bb94dac2e45edd1e68ad7a60be52203f0ad174d244b706deb50', SUITE, sys.argv[1:]))
