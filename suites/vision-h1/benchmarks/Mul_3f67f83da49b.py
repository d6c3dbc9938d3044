"""Mul alone: `python Mul_3f67f83da49b.py [--threads N] [--json]`.

Benchmark 3f67f83da49b6f22a3e1ce3e730731d96fda42c9f618a6eed4949b491af653ee,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3f67f83da49b6f22a3e1ce3e730731d96fda42c9f618a6eed4949b491af653ee', SUITE, sys.argv[1:]))
