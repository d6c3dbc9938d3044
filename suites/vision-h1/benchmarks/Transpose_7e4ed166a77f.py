"""Transpose alone: `python Transpose_7e4ed166a77f.py [--threads N] [--json]`.

Benchmark 7e4ed166a77fed437d2adb0fae7edd8abbb65ee6e9d5303d79f7af2d17e470d2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7e4ed166a77fed437d2adb0fae7edd8abbb65ee6e9d5303d79f7af2d17e470d2', SUITE, sys.argv[1:]))
