"""Mul alone: `python Mul_1490655da86f.py [--threads N] [--json]`.

Benchmark 1490655da86f27f07a23cccd2d8e1de0a14f56c66e7b0b4a4d90ac08189aabfd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1490655da86f27f07a23cccd2d8e1de0a14f56c66e7b0b4a4d90ac08189aabfd', SUITE, sys.argv[1:]))
