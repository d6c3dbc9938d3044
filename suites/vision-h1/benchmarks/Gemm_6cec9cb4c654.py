"""Gemm alone: `python Gemm_6cec9cb4c654.py [--threads N] [--json]`.

Benchmark 6cec9cb4c654ce3ba555d8363b289bfdb775ac8da70a47c073164b0a0908e14d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6cec9cb4c654ce3ba555d8363b289bfdb775ac8da70a47c073164b0a0908e14d', SUITE, sys.argv[1:]))
