"""Mul alone: `python Mul_0cd86e9f09a9.py [--threads N] [--json]`.

Benchmark 0cd86e9f09a95c59c8ed385638361331abe40109b3707cf322255b5cfdbfd4f1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0cd86e9f09a95c59c8ed385638361331abe40109b3707cf322255b5cfdbfd4f1', SUITE, sys.argv[1:]))
