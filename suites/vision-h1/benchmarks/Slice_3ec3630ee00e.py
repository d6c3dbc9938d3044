"""Slice alone: `python Slice_3ec3630ee00e.py [--threads N] [--json]`.

Benchmark 3ec3630ee00e4fac86ab4c1664deaffaaf3bdb71f5667ade2b01f06baa34cca7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ec3630ee00e4fac86ab4c1664deaffaaf3bdb71f5667ade2b01f06baa34cca7', SUITE, sys.argv[1:]))
