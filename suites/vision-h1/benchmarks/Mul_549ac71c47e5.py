"""Mul alone: `python Mul_549ac71c47e5.py [--threads N] [--json]`.

Benchmark 549ac71c47e57f02cb523d663d1d7ac29c23cbb7019571880e5f8cc9c5a3f4d6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('549ac71c47e57f02cb523d663d1d7ac29c23cbb7019571880e5f8cc9c5a3f4d6', SUITE, sys.argv[1:]))
