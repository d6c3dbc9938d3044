"""Transpose alone: `python Transpose_4aaab22c3795.py [--threads N] [--json]`.

Benchmark 4aaab22c3795b48fdc5f92d3180aab45916a8ddad67e38ca672445c3e2031e21,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4aaab22c3795b48fdc5f92d3180aab45916a8ddad67e38ca672445c3e2031e21', SUITE, sys.argv[1:]))
