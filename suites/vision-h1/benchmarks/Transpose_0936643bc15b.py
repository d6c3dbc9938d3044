"""Transpose alone: `python Transpose_0936643bc15b.py [--threads N] [--json]`.

Benchmark 0936643bc15b56defc888e08de1a602dc73de1d8825e2463580fbe87ac42f278,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0936643bc15b56defc888e08de1a602dc73de1d8825e2463580fbe87ac42f278', SUITE, sys.argv[1:]))
