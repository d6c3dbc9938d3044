"""Transpose alone: `python Transpose_9418bc2d9a09.py [--threads N] [--json]`.

Benchmark 9418bc2d9a09e0d5dd62109f6d90881f1fdd3ff9d42c07af468e820a589e649a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9418bc2d9a09e0d5dd62109f6d90881f1fdd3ff9d42c07af468e820a589e649a', SUITE, sys.argv[1:]))
