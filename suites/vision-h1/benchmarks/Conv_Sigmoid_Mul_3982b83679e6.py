"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_3982b83679e6.py [--threads N] [--json]`.

Benchmark 3982b83679e66e30b70f3c291e53f654fec50601089e4c9efa07499cb2233f72,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3982b83679e66e30b70f3c291e53f654fec50601089e4c9efa07499cb2233f72', SUITE, sys.argv[1:]))
