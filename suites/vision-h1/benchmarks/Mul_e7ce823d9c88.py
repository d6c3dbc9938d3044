"""Mul alone: `python Mul_e7ce823d9c88.py [--threads N] [--json]`.

Benchmark e7ce823d9c887b99e7dd46df171c511188670e8c035fee3a40942a37daf822b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e7ce823d9c887b99e7dd46df171c511188670e8c035fee3a40942a37daf822b9', SUITE, sys.argv[1:]))
