"""Transpose alone: `python Transpose_a26666b25ba1.py [--threads N] [--json]`.

Benchmark a26666b25ba1a2257990ce074a4da340346cbcc04c6bc55c1038c41458a33a40,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a26666b25ba1a2257990ce074a4da340346cbcc04c6bc55c1038c41458a33a40', SUITE, sys.argv[1:]))
