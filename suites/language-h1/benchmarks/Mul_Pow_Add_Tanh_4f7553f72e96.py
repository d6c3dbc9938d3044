"""Mul_Pow_Add_Tanh alone: `python Mul_Pow_Add_Tanh_4f7553f72e96.py [--threads N] [--json]`.

Benchmark 4f7553f72e96e36ae6b053ef6382c56a018bf1c10a9c7bdf0876a7ceb5b0598e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4f7553f72e96e36ae6b053ef6382c56a018bf1c10a9c7bdf0876a7ceb5b0598e', SUITE, sys.argv[1:]))
