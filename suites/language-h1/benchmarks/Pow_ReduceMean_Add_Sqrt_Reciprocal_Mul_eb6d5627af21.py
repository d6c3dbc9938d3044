"""Pow_ReduceMean_Add_Sqrt_Reciprocal_Mul alone: `python Pow_ReduceMean_Add_Sqrt_Reciprocal_Mul_eb6d5627af21.py [--threads N] [--json]`.

Benchmark eb6d5627af213621dcf82f64d1bebc415ed6d8bd7ad606ca0e9fb8fb50f3c591,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eb6d5627af213621dcf82f64d1bebc415ed6d8bd7ad606ca0e9fb8fb50f3c591', SUITE, sys.argv[1:]))
