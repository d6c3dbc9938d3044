"""Gemm alone: `python Gemm_7863b3be0707.py [--threads N] [--json]`.

Benchmark 7863b3be0707d4353618511327676d06297b6d50e6dbbe8965087a9136f2e30d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7863b3be0707d4353618511327676d06297b6d50e6dbbe8965087a9136f2e30d', SUITE, sys.argv[1:]))
