"""Transpose alone: `python Transpose_5d61cb6cda78.py [--threads N] [--json]`.

Benchmark 5d61cb6cda7895d99849d0e132ed5c733814a99d252ccb43d9a21d7a2e152c73,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d61cb6cda7895d99849d0e132ed5c733814a99d252ccb43d9a21d7a2e152c73', SUITE, sys.argv[1:]))
