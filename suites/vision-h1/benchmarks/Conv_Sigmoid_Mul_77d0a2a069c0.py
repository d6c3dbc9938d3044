"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_77d0a2a069c0.py [--threads N] [--json]`.

Benchmark 77d0a2a069c0c3c49208babe657786ed2f2c0ec97f897a805e6dfc557274618a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('77d0a2a069c0c3c49208babe657786ed2f2c0ec97f897a805e6dfc557274618a', SUITE, sys.argv[1:]))
