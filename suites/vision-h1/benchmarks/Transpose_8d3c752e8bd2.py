"""Transpose alone: `python Transpose_8d3c752e8bd2.py [--threads N] [--json]`.

Benchmark 8d3c752e8bd212f04079b652432db876050235247eabb3db495762d8032bddc5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d3c752e8bd212f04079b652432db876050235247eabb3db495762d8032bddc5', SUITE, sys.argv[1:]))
