"""Gemm_Relu alone: `python Gemm_Relu_771d637d0794.py [--threads N] [--json]`.

Benchmark 771d637d07941b342783c22009853fddaf75e0203281470362d94212db573bbc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('771d637d07941b342783c22009853fddaf75e0203281470362d94212db573bbc', SUITE, sys.argv[1:]))
