"""Mul alone: `python Mul_57c06c2b0dcf.py [--threads N] [--json]`.

Benchmark 57c06c2b0dcf40062183008806e3e5fc8ffd4587f8d5b50908077a8871e9bc49,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('57c06c2b0dcf40062183008806e3e5fc8ffd4587f8d5b50908077a8871e9bc49', SUITE, sys.argv[1:]))
