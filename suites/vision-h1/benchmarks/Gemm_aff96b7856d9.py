"""Gemm alone: `python Gemm_aff96b7856d9.py [--threads N] [--json]`.

Benchmark aff96b7856d9bbfdd79ef3ed75ee1c4b926cae5e22b8de46234eb46e9f3d9ee0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aff96b7856d9bbfdd79ef3ed75ee1c4b926cae5e22b8de46234eb46e9f3d9ee0', SUITE, sys.argv[1:]))
