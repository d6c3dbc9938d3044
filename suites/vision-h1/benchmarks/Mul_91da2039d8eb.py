"""Mul alone: `python Mul_91da2039d8eb.py [--threads N] [--json]`.

Benchmark 91da2039d8eb59dbe5b1f22d2d55ad9b26a6fb7b1ec155b50b3b7372c9a63759,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('91da2039d8eb59dbe5b1f22d2d55ad9b26a6fb7b1ec155b50b3b7372c9a63759', SUITE, sys.argv[1:]))
