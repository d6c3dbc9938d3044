"""Transpose alone: `python Transpose_88ce6095eef0.py [--threads N] [--json]`.

Benchmark 88ce6095eef0b6653c20da2a3e4e872d06a6e082a4fa2ac455d0b806ce3b56df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('88ce6095eef0b6653c20da2a3e4e872d06a6e082a4fa2ac455d0b806ce3b56df', SUITE, sys.argv[1:]))
