"""Transpose alone: `python Transpose_fff99d3c6d37.py [--threads N] [--json]`.

Benchmark fff99d3c6d37ca1d9b0adbba8fb5fc5e4869f8492f559968efa7f658b8f5cdc5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fff99d3c6d37ca1d9b0adbba8fb5fc5e4869f8492f559968efa7f658b8f5cdc5', SUITE, sys.argv[1:]))
