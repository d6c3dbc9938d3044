"""Transpose alone: `python Transpose_a475717b0bcf.py [--threads N] [--json]`.

Benchmark a475717b0bcfd2b67fd28a0fbe21b1e42a79e1327f52774613d7f02522b22e2a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a475717b0bcfd2b67fd28a0fbe21b1e42a79e1327f52774613d7f02522b22e2a', SUITE, sys.argv[1:]))
