"""Transpose alone: `python Transpose_756914b21c77.py [--threads N] [--json]`.

Benchmark 756914b21c77144cbf5a609570c662b850ca6ce99d85fdd08e2c55962140ea2f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('756914b21c77144cbf5a609570c662b850ca6ce99d85fdd08e2c55962140ea2f', SUITE, sys.argv[1:]))
