"""Mul alone: `python Mul_f1f8adbcc556.py [--threads N] [--json]`.

Benchmark f1f8adbcc55609ed1478332bd54ca44ded27236bb44f352b839bda6a46227aa7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1f8adbcc55609ed1478332bd54ca44ded27236bb44f352b839bda6a46227aa7', SUITE, sys.argv[1:]))
