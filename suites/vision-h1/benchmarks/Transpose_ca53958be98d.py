"""Transpose alone: `python Transpose_ca53958be98d.py [--threads N] [--json]`.

Benchmark ca53958be98d0e628eef1664532c6e462d85a68584501667b7c1665538a79756,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca53958be98d0e628eef1664532c6e462d85a68584501667b7c1665538a79756', SUITE, sys.argv[1:]))
