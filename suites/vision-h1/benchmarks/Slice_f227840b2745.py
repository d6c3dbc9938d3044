"""Slice alone: `python Slice_f227840b2745.py [--threads N] [--json]`.

Benchmark f227840b274552d0ca82b2def34cc4ee7e0a90a0ccbbc4802969d1d91f4ddf93,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f227840b274552d0ca82b2def34cc4ee7e0a90a0ccbbc4802969d1d91f4ddf93', SUITE, sys.argv[1:]))
