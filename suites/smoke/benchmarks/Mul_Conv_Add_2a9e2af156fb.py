"""Mul_Conv_Add alone: `python Mul_Conv_Add_2a9e2af156fb.py [--threads N] [--json]`.

Benchmark 2a9e2af156fb8bfd465915bb37d0dedcd63dcb2f29d6c7f946555b2b3eb175ed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2a9e2af156fb8bfd465915bb37d0dedcd63dcb2f29d6c7f946555b2b3eb175ed', SUITE, sys.argv[1:]))
