"""Softmax alone: `python Softmax_b92a67f5e559.py [--threads N] [--json]`.

Benchmark b92a67f5e5596eb350d4013bd6d47b3af402c4e2d9106be8a82d5b13802faa76,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b92a67f5e5596eb350d4013bd6d47b3af402c4e2d9106be8a82d5b13802faa76', SUITE, sys.argv[1:]))
