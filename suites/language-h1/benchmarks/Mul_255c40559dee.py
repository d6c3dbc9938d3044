"""Mul alone: `python Mul_255c40559dee.py [--threads N] [--json]`.

Benchmark 255c40559deebcde42869d6d95b33a53b42e655889db167ceddb5d52ecc52cd0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('255c40559deebcde42869d6d95b33a53b42e655889db167ceddb5d52ecc52cd0', SUITE, sys.argv[1:]))
