"""Transpose alone: `python Transpose_a1d35b7d6112.py [--threads N] [--json]`.

Benchmark a1d35b7d6112fc2a28a89e45a620f72f75c9c833455f5b291bb545fcf599828c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a1d35b7d6112fc2a28a89e45a620f72f75c9c833455f5b291bb545fcf599828c', SUITE, sys.argv[1:]))
