"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_e537296cdaf6.py [--threads N] [--json]`.

Benchmark e537296cdaf65c60f52cc9941c5b8cf6f5fc75154b167c9fc775c1ef04e76558,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e537296cdaf65c60f52cc9941c5b8cf6f5fc75154b167c9fc775c1ef04e76558', SUITE, sys.argv[1:]))
