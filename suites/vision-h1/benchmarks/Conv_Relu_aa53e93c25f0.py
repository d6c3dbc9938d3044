"""Conv_Relu alone: `python Conv_Relu_aa53e93c25f0.py [--threads N] [--json]`.

Benchmark aa53e93c25f02f37e74d91016dafab3652d6bbfd32e680cfd9f5a470fc7b2b2b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aa53e93c25f02f37e74d91016dafab3652d6bbfd32e680cfd9f5a470fc7b2b2b', SUITE, sys.argv[1:]))
