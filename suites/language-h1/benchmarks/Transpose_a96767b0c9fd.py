"""Transpose alone: `python Transpose_a96767b0c9fd.py [--threads N] [--json]`.

Benchmark a96767b0c9fd5090c0209327b092c6491a2d9f1df3b3e00a5e78b7a1f299ac9d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a96767b0c9fd5090c0209327b092c6491a2d9f1df3b3e00a5e78b7a1f299ac9d', SUITE, sys.argv[1:]))
