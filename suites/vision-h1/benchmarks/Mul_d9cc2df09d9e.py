"""Mul alone: `python Mul_d9cc2df09d9e.py [--threads N] [--json]`.

Benchmark d9cc2df09d9ec64ec0116233b1fa859284e68dcea92a0f5897170d69acca392a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d9cc2df09d9ec64ec0116233b1fa859284e68dcea92a0f5897170d69acca392a', SUITE, sys.argv[1:]))
