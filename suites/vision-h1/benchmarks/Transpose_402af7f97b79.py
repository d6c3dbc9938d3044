"""Transpose alone: `python Transpose_402af7f97b79.py [--threads N] [--json]`.

Benchmark 402af7f97b796d0690f772938a5efd957e7aaf9055238ab4a49b1d5cc07f4b01,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('402af7f97b796d0690f772938a5efd957e7aaf9055238ab4a49b1d5cc07f4b01', SUITE, sys.argv[1:]))
