"""Gemm alone: `python Gemm_48b4044f7391.py [--threads N] [--json]`.

Benchmark 48b4044f73918179548840293becc391ef7df5cacbd697cfb50ad965c5a34369,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('48b4044f73918179548840293becc391ef7df5cacbd697cfb50ad965c5a34369', SUITE, sys.argv[1:]))
