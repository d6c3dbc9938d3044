"""Mul alone: `python Mul_869cf1471450.py [--threads N] [--json]`.

Benchmark 869cf147145038ff1583d24d8fff9d6f3aba81d78b44b569fbb5c3065dae4ab0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('869cf147145038ff1583d24d8fff9d6f3aba81d78b44b569fbb5c3065dae4ab0', SUITE, sys.argv[1:]))
