"""Slice alone: `python Slice_26a16b057996.py [--threads N] [--json]`.

Benchmark 26a16b057996c1b04d108ead2f41b0011d96dc0897f92a6d872d51e094b63e5f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('26a16b057996c1b04d108ead2f41b0011d96dc0897f92a6d872d51e094b63e5f', SUITE, sys.argv[1:]))
