"""Mul alone: `python Mul_ad266b53b583.py [--threads N] [--json]`.

Benchmark ad266b53b583c1a097f80b7e4265453575c8ec48643590faca3e56c8d7a3c4b3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad266b53b583c1a097f80b7e4265453575c8ec48643590faca3e56c8d7a3c4b3', SUITE, sys.argv[1:]))
