"""Gemm_Relu alone: `python Gemm_Relu_7526b6a712d7.py [--threads N] [--json]`.

Benchmark 7526b6a712d784bf242ec6144ab6574d3203df2ed98741a17336533f41601520,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7526b6a712d784bf242ec6144ab6574d3203df2ed98741a17336533f41601520', SUITE, sys.argv[1:]))
