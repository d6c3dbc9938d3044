"""Mul_Pow_Add_Tanh alone: `python Mul_Pow_Add_Tanh_036c82cb6c30.py [--threads N] [--json]`.

Benchmark 036c82cb6c301ea7ce0b2d5260203aafcb515267950b7785d295d7a7e1203b96,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('036c82cb6c301ea7ce0b2d5260203aafcb515267950b7785d295d7a7e1203b96', SUITE, sys.argv[1:]))
