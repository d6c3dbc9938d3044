"""Transpose alone: `python Transpose_1a3899643dcf.py [--threads N] [--json]`.

Benchmark 1a3899643dcf04cb77d1c53aaf2d2b38b806708eb264084b54b804786eb80e70,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1a3899643dcf04cb77d1c53aaf2d2b38b806708eb264084b54b804786eb80e70', SUITE, sys.argv[1:]))
