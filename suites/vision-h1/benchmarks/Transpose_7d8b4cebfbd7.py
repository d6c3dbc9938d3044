"""Transpose alone: `python Transpose_7d8b4cebfbd7.py [--threads N] [--json]`.

Benchmark 7d8b4cebfbd7ca95fdcaa017889fe7e16e5b3d865c1753345bc41a2114f08387,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7d8b4cebfbd7ca95fdcaa017889fe7e16e5b3d865c1753345bc41a2114f08387', SUITE, sys.argv[1:]))
