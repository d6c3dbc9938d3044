"""Pow_ReduceMean_Add_Sqrt_Div_Mul alone: `python Pow_ReduceMean_Add_Sqrt_Div_Mul_24f3b5ef5913.py [--threads N] [--json]`.

Benchmark 24f3b5ef5913c67e272f98f2b5445bc5c384a6ca34c89eb7237d3ce3a358fe6c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('24f3b5ef5913c67e272f98f2b5445bc5c384a6ca34c89eb7237d3ce3a358fe6c', SUITE, sys.argv[1:]))
