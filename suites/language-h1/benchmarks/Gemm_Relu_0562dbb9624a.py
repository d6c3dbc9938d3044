"""Gemm_Relu alone: `python Gemm_Relu_0562dbb9624a.py [--threads N] [--json]`.

Benchmark 0562dbb9624a5e57e646f47f2085f534a926eed27aa74e44cbaec844af0e7469,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0562dbb9624a5e57e646f47f2085f534a926eed27aa74e44cbaec844af0e7469', SUITE, sys.argv[1:]))
