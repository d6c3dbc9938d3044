"""Gemm alone: `python Gemm_1c7838ea1340.py [--threads N] [--json]`.

Benchmark 1c7838ea134018efc72e01f778e3e59cc17eb5ca4fb37d375bd83ed20f9c7139,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1c7838ea134018efc72e01f778e3e59cc17eb5ca4fb37d375bd83ed20f9c7139', SUITE, sys.argv[1:]))
