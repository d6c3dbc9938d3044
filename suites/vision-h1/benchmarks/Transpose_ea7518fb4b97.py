"""Transpose alone: `python Transpose_ea7518fb4b97.py [--threads N] [--json]`.

Benchmark ea7518fb4b97d774173bffce0b7ea8daa61a9076f07842f0e1ceb6ae17cef3a2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea7518fb4b97d774173bffce0b7ea8daa61a9076f07842f0e1ceb6ae17cef3a2', SUITE, sys.argv[1:]))
