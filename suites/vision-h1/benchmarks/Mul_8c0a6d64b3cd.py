"""Mul alone: `python Mul_8c0a6d64b3cd.py [--threads N] [--json]`.

Benchmark 8c0a6d64b3cd6c43a481c74dd740e0376bfea3e4a5ca4974ace2758793b0c7eb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8c0a6d64b3cd6c43a481c74dd740e0376bfea3e4a5ca4974ace2758793b0c7eb', SUITE, sys.argv[1:]))
