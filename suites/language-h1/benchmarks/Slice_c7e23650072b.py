"""Slice alone: `python Slice_c7e23650072b.py [--threads N] [--json]`.

Benchmark c7e23650072bc8bd2c57cdf62c813afabb93cb444613b9b97f90c6f4d9dbaad5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c7e23650072bc8bd2c57cdf62c813afabb93cb444613b9b97f90c6f4d9dbaad5', SUITE, sys.argv[1:]))
