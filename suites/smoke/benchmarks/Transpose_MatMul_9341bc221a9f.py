"""Transpose_MatMul alone: `python Transpose_MatMul_9341bc221a9f.py [--threads N] [--json]`.

Benchmark 9341bc221a9f3bd82f1524677f8aad71e8bae833b2bb23ea981d866605bace7e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9341bc221a9f3bd82f1524677f8aad71e8bae833b2bb23ea981d866605bace7e', SUITE, sys.argv[1:]))
