"""Transpose alone: `python Transpose_839934764276.py [--threads N] [--json]`.

Benchmark 8399347642766ad69aced5a72c57231081fa92f2d695766b0face30a5f156cee,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8399347642766ad69aced5a72c57231081fa92f2d695766b0face30a5f156cee', SUITE, sys.argv[1:]))
