"""Transpose alone: `python Transpose_969763f6f90b.py [--threads N] [--json]`.

Benchmark 969763f6f90b9926ff5f4008a61c60327d4e0950e18e7d6b09e921bb52f677d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('969763f6f90b9926ff5f4008a61c60327d4e0950e18e7d6b09e921bb52f677d1', SUITE, sys.argv[1:]))
