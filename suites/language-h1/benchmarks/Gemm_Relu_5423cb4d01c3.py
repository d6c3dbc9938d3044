"""Gemm_Relu alone: `python Gemm_Relu_5423cb4d01c3.py [--threads N] [--json]`.

Benchmark 5423cb4d01c374cff37968a46b8daeb6f5aaac9fe7b0766f0d4a1278f5f5f6ea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5423cb4d01c374cff37968a46b8daeb6f5aaac9fe7b0766f0d4a1278f5f5f6ea', SUITE, sys.argv[1:]))
