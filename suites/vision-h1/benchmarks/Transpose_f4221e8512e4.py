"""Transpose alone: `python Transpose_f4221e8512e4.py [--threads N] [--json]`.

Benchmark f4221e8512e4fb9be1103e38b758211adc2b3ba7c1f3708a1c1c0cf88c383d76,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4221e8512e4fb9be1103e38b758211adc2b3ba7c1f3708a1c1c0cf88c383d76', SUITE, sys.argv[1:]))
