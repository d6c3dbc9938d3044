"""Sigmoid_Mul alone: `python Sigmoid_Mul_e5197a7515c6.py [--threads N] [--json]`.

Benchmark e5197a7515c6dfb302dea84f232d8c4982bb90469b63f4f4ad1beecbab8df40e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e5197a7515c6dfb302dea84f232d8c4982bb90469b63f4f4ad1beecbab8df40e', SUITE, sys.argv[1:]))
