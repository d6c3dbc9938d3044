"""Transpose alone: `python Transpose_56fb76f2553b.py [--threads N] [--json]`.

Benchmark 56fb76f2553b78a00b40940da51c3c3eac0246884824d9e9ff4650b17fef1c09,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('56fb76f2553b78a00b40940da51c3c3eac0246884824d9e9ff4650b17fef1c09', SUITE, sys.argv[1:]))
