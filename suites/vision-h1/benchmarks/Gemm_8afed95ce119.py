"""Gemm alone: `python Gemm_8afed95ce119.py [--threads N] [--json]`.

Benchmark 8afed95ce119f5c882084e944125626ea78b82782d2b71f2c981e8e09dc8a276,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8afed95ce119f5c882084e944125626ea78b82782d2b71f2c981e8e09dc8a276', SUITE, sys.argv[1:]))
