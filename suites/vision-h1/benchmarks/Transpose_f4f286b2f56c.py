"""Transpose alone: `python Transpose_f4f286b2f56c.py [--threads N] [--json]`.

Benchmark f4f286b2f56c471a84b3d2ee9c072a005d6e56ddb885bad1a1124f8f1e3b6e66,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4f286b2f56c471a84b3d2ee9c072a005d6e56ddb885bad1a1124f8f1e3b6e66', SUITE, sys.argv[1:]))
