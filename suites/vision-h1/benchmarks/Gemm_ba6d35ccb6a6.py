"""Gemm alone: `python Gemm_ba6d35ccb6a6.py [--threads N] [--json]`.

Benchmark ba6d35ccb6a6b8e139e3eab0713291e20c9e333357c58741c0f41807199d07c3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ba6d35ccb6a6b8e139e3eab0713291e20c9e333357c58741c0f41807199d07c3', SUITE, sys.argv[1:]))
