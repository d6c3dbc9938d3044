"""Gemm_Sigmoid alone: `python Gemm_Sigmoid_e6ba5fa17049.py [--threads N] [--json]`.

Benchmark e6ba5fa17049e4f07d5ac12be983d4842f5133bcf4f2165bd6bc814974187332,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e6ba5fa17049e4f07d5ac12be983d4842f5133bcf4f2165bd6bc814974187332', SUITE, sys.argv[1:]))
