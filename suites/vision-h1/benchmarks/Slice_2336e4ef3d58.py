"""Slice alone: `python Slice_2336e4ef3d58.py [--threads N] [--json]`.

Benchmark 2336e4ef3d584df294e9c01698444d079e54cb5741adfb17e752d340a05abb3f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2336e4ef3d584df294e9c01698444d079e54cb5741adfb17e752d340a05abb3f', SUITE, sys.argv[1:]))
