"""Slice alone: `python Slice_1bb2cb02e4ff.py [--threads N] [--json]`.

Benchmark 1bb2cb02e4ff1ff329ba8c37ac4a625086e7abed743d03bd3fa78ec2b216aa63,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1bb2cb02e4ff1ff329ba8c37ac4a625086e7abed743d03bd3fa78ec2b216aa63', SUITE, sys.argv[1:]))
