"""Transpose alone: `python Transpose_5eb216ddb906.py [--threads N] [--json]`.

Benchmark 5eb216ddb906c98aa865422a9323582ba0c4d07428ee6fcf72da19186187cf78,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5eb216ddb906c98aa865422a9323582ba0c4d07428ee6fcf72da19186187cf78', SUITE, sys.argv[1:]))
