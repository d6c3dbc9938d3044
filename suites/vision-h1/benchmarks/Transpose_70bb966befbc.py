"""Transpose alone: `python Transpose_70bb966befbc.py [--threads N] [--json]`.

Benchmark 70bb966befbc4c60b18c533734aceee478096b30364a64da5a2d583e7fdcf722,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('70bb966befbc4c60b18c533734aceee478096b30364a64da5a2d583e7fdcf722', SUITE, sys.argv[1:]))
