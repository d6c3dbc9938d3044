"""Transpose alone: `python Transpose_b92f1feb6fe3.py [--threads N] [--json]`.

Benchmark b92f1feb6fe3c04b81ae9d7ece6396baf9baff5620d9c80db1e40596e9a85a0c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b92f1feb6fe3c04b81ae9d7ece6396baf9baff5620d9c80db1e40596e9a85a0c', SUITE, sys.argv[1:]))
