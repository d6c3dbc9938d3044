"""Relu alone: `python Relu_6501c5a7fd43.py [--threads N] [--json]`.

Benchmark 6501c5a7fd43b00191e98d716422144b62c437ea3047d98cffa82157e6e6a8a6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6501c5a7fd43b00191e98d716422144b62c437ea3047d98cffa82157e6e6a8a6', SUITE, sys.argv[1:]))
