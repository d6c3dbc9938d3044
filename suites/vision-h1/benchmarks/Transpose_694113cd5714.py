"""Transpose alone: `python Transpose_694113cd5714.py [--threads N] [--json]`.

Benchmark 694113cd57145c94c95412521da9313f46a51e7c71d64206e8c902b5e2efcdf3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('694113cd57145c94c95412521da9313f46a51e7c71d64206e8c902b5e2efcdf3', SUITE, sys.argv[1:]))
