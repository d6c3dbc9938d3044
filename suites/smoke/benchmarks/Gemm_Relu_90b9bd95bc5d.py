"""Gemm_Relu alone: `python Gemm_Relu_90b9bd95bc5d.py [--threads N] [--json]`.

Benchmark 90b9bd95bc5d758e12101645bd72bea015f0ca5978c581db6a48855e4fd584ac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('90b9bd95bc5d758e12101645bd72bea015f0ca5978c581db6a48855e4fd584ac', SUITE, sys.argv[1:]))
