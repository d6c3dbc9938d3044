"""Sigmoid_Mul alone: `python Sigmoid_Mul_b5316ea664ca.py [--threads N] [--json]`.

Benchmark b5316ea664ca3b46426bcd6a2058c5cde3154d5fcd2e0d1f7dbf30b4ba7a93d8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5316ea664ca3b46426bcd6a2058c5cde3154d5fcd2e0d1f7dbf30b4ba7a93d8', SUITE, sys.argv[1:]))
