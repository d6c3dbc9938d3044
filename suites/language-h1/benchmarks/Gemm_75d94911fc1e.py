"""Gemm alone: `python Gemm_75d94911fc1e.py [--threads N] [--json]`.

Benchmark 75d94911fc1e58213753bbbdb28da48d116d9fa3d9f989e13e71b76b355620d0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('75d94911fc1e58213753bbbdb28da48d116d9fa3d9f989e13e71b76b355620d0', SUITE, sys.argv[1:]))
