"""Slice alone: `python Slice_a5fc0b1ee401.py [--threads N] [--json]`.

Benchmark a5fc0b1ee401c5d54e78eadfc696071ee85a8a6827f9952060ae80cfa3383286,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a5fc0b1ee401c5d54e78eadfc696071ee85a8a6827f9952060ae80cfa3383286', SUITE, sys.argv[1:]))
