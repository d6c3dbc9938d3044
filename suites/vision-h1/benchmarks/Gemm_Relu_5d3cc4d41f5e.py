"""Gemm_Relu alone: `python Gemm_Relu_5d3cc4d41f5e.py [--threads N] [--json]`.

Benchmark 5d3cc4d41f5e5d5056d293bf84408a0e5246fca140aca11049262150c9b2f3f8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d3cc4d41f5e5d5056d293bf84408a0e5246fca140aca11049262150c9b2f3f8', SUITE, sys.argv[1:]))
