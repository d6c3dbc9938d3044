"""Resize alone: `python Resize_90ec1e9a68d4.py [--threads N] [--json]`.

Benchmark 90ec1e9a68d49e13f4bf2867a7eed9c9135dbd6db4fef023ba44e92ef99d2005,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('90ec1e9a68d49e13f4bf2867a7eed9c9135dbd6db4fef023ba44e92ef99d2005', SUITE, sys.argv[1:]))
