"""Gemm alone: `python Gemm_79827e77da05.py [--threads N] [--json]`.

Benchmark 79827e77da05fc25b0c66d596221f9d4591ed996893edb9e0ba8b52872ca2a7c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('79827e77da05fc25b0c66d596221f9d4591ed996893edb9e0ba8b52872ca2a7c', SUITE, sys.argv[1:]))
