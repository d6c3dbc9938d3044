"""Gemm_Relu alone: `python Gemm_Relu_c71a1de4df13.py [--threads N] [--json]`.

Benchmark c71a1de4df13dc28862d8c83201fd384a1420bb13b8d5dd2afcee2cce356d455,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c71a1de4df13dc28862d8c83201fd384a1420bb13b8d5dd2afcee2cce356d455', SUITE, sys.argv[1:]))
