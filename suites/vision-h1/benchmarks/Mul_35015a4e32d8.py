"""Mul alone: `python Mul_35015a4e32d8.py [--threads N] [--json]`.

Benchmark 35015a4e32d8b869d0f5245e637d39d1b927641a130437f9e4b83c688a8853af,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('35015a4e32d8b869d0f5245e637d39d1b927641a130437f9e4b83c688a8853af', SUITE, sys.argv[1:]))
