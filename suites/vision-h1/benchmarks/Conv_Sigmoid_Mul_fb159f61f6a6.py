"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_fb159f61f6a6.py [--threads N] [--json]`.

Benchmark fb159f61f6a69acc3b46c20587bfa4e503705681001854b31e3075dc2814182a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fb159f61f6a69acc3b46c20587bfa4e503705681001854b31e3075dc2814182a', SUITE, sys.argv[1:]))
