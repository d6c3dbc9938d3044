"""Mul_Conv alone: `python Mul_Conv_3d79336e5d0c.py [--threads N] [--json]`.

Benchmark 3d79336e5d0ce5b159fe7801b79c817309431a77c609fe198a5cfd08f745b5fa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d79336e5d0ce5b159fe7801b79c817309431a77c609fe198a5cfd08f745b5fa', SUITE, sys.argv[1:]))
