"""Transpose alone: `python Transpose_83a309eaf913.py [--threads N] [--json]`.

Benchmark 83a309eaf913aa4f08fafc09dbd3ba60d4f43693ea523ca8a6213dbc39aca3bd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('83a309eaf913aa4f08fafc09dbd3ba60d4f43693ea523ca8a6213dbc39aca3bd', SUITE, sys.argv[1:]))
