"""Transpose alone: `python Transpose_a0b258f4d2a9.py [--threads N] [--json]`.

Benchmark a0b258f4d2a9f5a5aeb32b5aaa86fc4525dda0f9f65c0a75c1f3baa63b900d8a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a0b258f4d2a9f5a5aeb32b5aaa86fc4525dda0f9f65c0a75c1f3baa63b900d8a', SUITE, sys.argv[1:]))
