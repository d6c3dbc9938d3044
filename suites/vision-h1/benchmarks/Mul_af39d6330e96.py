"""Mul alone: `python Mul_af39d6330e96.py [--threads N] [--json]`.

Benchmark af39d6330e9691de0f092774b973667aa1daba6f107a982155a807a3a3e30731,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('af39d6330e9691de0f092774b973667aa1daba6f107a982155a807a3a3e30731', SUITE, sys.argv[1:]))
