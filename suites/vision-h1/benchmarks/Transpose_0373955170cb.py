"""Transpose alone: `python Transpose_0373955170cb.py [--threads N] [--json]`.

Benchmark 0373955170cb0340f005cffc91cee10d7eeb78addf0a7459f53661b26b67cec2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0373955170cb0340f005cffc91cee10d7eeb78addf0a7459f53661b26b67cec2', SUITE, sys.argv[1:]))
