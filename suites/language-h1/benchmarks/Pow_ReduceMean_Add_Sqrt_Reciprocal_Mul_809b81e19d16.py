"""Pow_ReduceMean_Add_Sqrt_Reciprocal_Mul alone: `python Pow_ReduceMean_Add_Sqrt_Reciprocal_Mul_809b81e19d16.py [--threads N] [--json]`.

Benchmark 809b81e19d166924f34009340134a8649bdedb450f2b4280dd170ce898bb0e5a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('809b81e19d166924f34009340134a8649bdedb450f2b4280dd170ce898bb0e5a', SUITE, sys.argv[1:]))
