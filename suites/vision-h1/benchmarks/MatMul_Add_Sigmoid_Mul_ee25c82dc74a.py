"""MatMul_Add_Sigmoid_Mul alone: `python MatMul_Add_Sigmoid_Mul_ee25c82dc74a.py [--threads N] [--json]`.

Benchmark ee25c82dc74ad697024855237b17ff9179c375703c72de290cc5540dfd860c7e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee25c82dc74ad697024855237b17ff9179c375703c72de290cc5540dfd860c7e', SUITE, sys.argv[1:]))
