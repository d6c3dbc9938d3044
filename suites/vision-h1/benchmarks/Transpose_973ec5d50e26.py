"""Transpose alone: `python Transpose_973ec5d50e26.py [--threads N] [--json]`.

Benchmark 973ec5d50e2612b49a6b9b012bf658540693d5f5978a8051ef65df0cd40f5fe8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('973ec5d50e2612b49a6b9b012bf658540693d5f5978a8051ef65df0cd40f5fe8', SUITE, sys.argv[1:]))
