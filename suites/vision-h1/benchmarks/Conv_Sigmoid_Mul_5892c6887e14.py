"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_5892c6887e14.py [--threads N] [--json]`.

Benchmark 5892c6887e140e994a07d7486e178896b0a1d79b73c0fe71263dd0528b1783d5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5892c6887e140e994a07d7486e178896b0a1d79b73c0fe71263dd0528b1783d5', SUITE, sys.argv[1:]))
