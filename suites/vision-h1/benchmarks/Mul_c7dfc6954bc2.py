"""Mul alone: `python Mul_c7dfc6954bc2.py [--threads N] [--json]`.

Benchmark c7dfc6954bc2b35f97d196103f8f348cc496f4ec40c0b843a21d0e746c685570,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c7dfc6954bc2b35f97d196103f8f348cc496f4ec40c0b843a21d0e746c685570', SUITE, sys.argv[1:]))
