"""Slice alone: `python Slice_019fa171fdc5.py [--threads N] [--json]`.

Benchmark 019fa171fdc51acf3d4077f3d2cc550df7bcdf02545f9392f251a6f2cc18c231,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('019fa171fdc51acf3d4077f3d2cc550df7bcdf02545f9392f251a6f2cc18c231', SUITE, sys.argv[1:]))
