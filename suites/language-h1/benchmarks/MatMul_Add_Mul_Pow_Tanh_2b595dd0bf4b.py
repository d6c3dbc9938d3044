"""MatMul_Add_Mul_Pow_Tanh alone: `python MatMul_Add_Mul_Pow_Tanh_2b595dd0bf4b.py [--threads N] [--json]`.

Benchmark 2b595dd0bf4bcce242a5f558105f299b2c8cf50f0c765de4319e0961c8edc155,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2b595dd0bf4bcce242a5f558105f299b2c8cf50f0c765de4319e0961c8edc155', SUITE, sys.argv[1:]))
