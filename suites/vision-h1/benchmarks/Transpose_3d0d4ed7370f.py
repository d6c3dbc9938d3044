"""Transpose alone: `python Transpose_3d0d4ed7370f.py [--threads N] [--json]`.

Benchmark 3d0d4ed7370fadfc3c3267a88a6cfa42ffe8cf78109fc6825458a071d4c1d9ee,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d0d4ed7370fadfc3c3267a88a6cfa42ffe8cf78109fc6825458a071d4c1d9ee', SUITE, sys.argv[1:]))
