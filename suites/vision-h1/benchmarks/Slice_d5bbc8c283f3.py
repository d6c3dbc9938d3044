"""Slice alone: `python Slice_d5bbc8c283f3.py [--threads N] [--json]`.

Benchmark d5bbc8c283f3e90538b703db6ce060c0b5fb97981a42b5bc9fd8571c177c33a7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5bbc8c283f3e90538b703db6ce060c0b5fb97981a42b5bc9fd8571c177c33a7', SUITE, sys.argv[1:]))
