"""Mul alone: `python Mul_8dd38a74e1c2.py [--threads N] [--json]`.

Benchmark 8dd38a74e1c28e8e798f461648d5b04594ed5b37d3ea61e3577c2d4771b996ee,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8dd38a74e1c28e8e798f461648d5b04594ed5b37d3ea61e3577c2d4771b996ee', SUITE, sys.argv[1:]))
