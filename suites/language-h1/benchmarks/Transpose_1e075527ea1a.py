"""Transpose alone: `python Transpose_1e075527ea1a.py [--threads N] [--json]`.

Benchmark 1e075527ea1ab3317048acd867616d6fd4ecbe8050b78daffa8154b4ae57baa3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1e075527ea1ab3317048acd867616d6fd4ecbe8050b78daffa8154b4ae57baa3', SUITE, sys.argv[1:]))
