"""Slice alone: `python Slice_3d15d3b930f3.py [--threads N] [--json]`.

Benchmark 3d15d3b930f38b43875c5a627aaddc5810227cab4d87ba2f255fe815c2d3d831,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d15d3b930f38b43875c5a627aaddc5810227cab4d87ba2f255fe815c2d3d831', SUITE, sys.argv[1:]))
