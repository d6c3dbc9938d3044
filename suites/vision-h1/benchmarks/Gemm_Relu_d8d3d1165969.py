"""Gemm_Relu alone: `python Gemm_Relu_d8d3d1165969.py [--threads N] [--json]`.

Benchmark d8d3d1165969da7711b532e7a06df6b7c8d277a2d9b57cfa97c40c3e813ddaab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d8d3d1165969da7711b532e7a06df6b7c8d277a2d9b57cfa97c40c3e813ddaab', SUITE, sys.argv[1:]))
