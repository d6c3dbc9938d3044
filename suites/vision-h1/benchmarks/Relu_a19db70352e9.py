"""Relu alone: `python Relu_a19db70352e9.py [--threads N] [--json]`.

Benchmark a19db70352e92d027bafee52953f3f78864f87179f9c7f0220c759fb4ae8bd78,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a19db70352e92d027bafee52953f3f78864f87179f9c7f0220c759fb4ae8bd78', SUITE, sys.argv[1:]))
