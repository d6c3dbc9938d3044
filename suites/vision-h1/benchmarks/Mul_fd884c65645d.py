"""Mul alone: `python Mul_fd884c65645d.py [--threads N] [--json]`.

Benchmark fd884c65645def746ef4d71b8ffc5b00863e5ccfcf700794bbc83d4567e6c71f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fd884c65645def746ef4d71b8ffc5b00863e5ccfcf700794bbc83d4567e6c71f', SUITE, sys.argv[1:]))
