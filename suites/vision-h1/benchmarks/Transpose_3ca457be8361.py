"""Transpose alone: `python Transpose_3ca457be8361.py [--threads N] [--json]`.

Benchmark 3ca457be8361284fabfdd2bad8fde3cef4d3207b212a145f1ce8b79ab09b4f2a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ca457be8361284fabfdd2bad8fde3cef4d3207b212a145f1ce8b79ab09b4f2a', SUITE, sys.argv[1:]))
