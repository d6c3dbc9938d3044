"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_7b7a53d0cf47.py [--threads N] [--json]`.

Benchmark 7b7a53d0cf470d5d0f2c83732e7f9b39dc2b867bcb1af7c6cf18cbc78188573f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b7a53d0cf470d5d0f2c83732e7f9b39dc2b867bcb1af7c6cf18cbc78188573f', SUITE, sys.argv[1:]))
