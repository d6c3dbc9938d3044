"""Gemm alone: `python Gemm_e6e623364e76.py [--threads N] [--json]`.

Benchmark e6e623364e7609875a37f6264b6dffac5d8ad3a8b4b5376118b6a7cc4c3010c3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e6e623364e7609875a37f6264b6dffac5d8ad3a8b4b5376118b6a7cc4c3010c3', SUITE, sys.argv[1:]))
