"""Transpose alone: `python Transpose_ea2360aced0b.py [--threads N] [--json]`.

Benchmark ea2360aced0b4ddb80cb33f6e146a0e36ae9cb487cfe196553673d68513d04d5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea2360aced0b4ddb80cb33f6e146a0e36ae9cb487cfe196553673d68513d04d5', SUITE, sys.argv[1:]))
