"""Mul alone: `python Mul_ef55609bfefb.py [--threads N] [--json]`.

Benchmark ef55609bfefbe617514125bdb35e081d732583fa03e11dd375e80be280c8e3bd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ef55609bfefbe617514125bdb35e081d732583fa03e11dd375e80be280c8e3bd', SUITE, sys.argv[1:]))
