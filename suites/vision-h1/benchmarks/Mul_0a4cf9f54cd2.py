"""Mul alone: `python Mul_0a4cf9f54cd2.py [--threads N] [--json]`.

Benchmark 0a4cf9f54cd2e9cd4c4032571992ce7b091a89feaf4aea520dd1f6bfaaa15750,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0a4cf9f54cd2e9cd4c4032571992ce7b091a89feaf4aea520dd1f6bfaaa15750', SUITE, sys.argv[1:]))
