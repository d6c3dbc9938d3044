"""Gemm alone: `python Gemm_ad17ecb08161.py [--threads N] [--json]`.

Benchmark ad17ecb08161e3047c6fbc372817e32075001bab12905f254cf9e44f6526e133,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad17ecb08161e3047c6fbc372817e32075001bab12905f254cf9e44f6526e133', SUITE, sys.argv[1:]))
