"""Mul alone: `python Mul_0778bfe8c92c.py [--threads N] [--json]`.

Benchmark 0778bfe8c92c29e70cac29dbb65bfa7c7d9ae0c1f34ef05d38f43a19bfca8880,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0778bfe8c92c29e70cac29dbb65bfa7c7d9ae0c1f34ef05d38f43a19bfca8880', SUITE, sys.argv[1:]))
