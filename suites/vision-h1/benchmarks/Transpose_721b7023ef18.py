"""Transpose alone: `python Transpose_721b7023ef18.py [--threads N] [--json]`.

Benchmark 721b7023ef181172914494f83838f05da52c08384cd4ec14d0ae94cb641058a3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('721b7023ef181172914494f83838f05da52c08384cd4ec14d0ae94cb641058a3', SUITE, sys.argv[1:]))
