"""Gemm_Relu alone: `python Gemm_Relu_78b0951d78cc.py [--threads N] [--json]`.

Benchmark 78b0951d78cc90c5d6f04a30921432831c5213b741ce9ebd12537b973818b37e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('78b0951d78cc90c5d6f04a30921432831c5213b741ce9ebd12537b973818b37e', SUITE, sys.argv[1:]))
