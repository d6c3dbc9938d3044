"""MatMul_Add_Sigmoid_Mul alone: `python MatMul_Add_Sigmoid_Mul_9ee9e13628b7.py [--threads N] [--json]`.

Benchmark 9ee9e13628b712cae9705351872bf6e414f432ccb9804acdb5f3046355fb9e4e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9ee9e13628b712cae9705351872bf6e414f432ccb9804acdb5f3046355fb9e4e', SUITE, sys.argv[1:]))
