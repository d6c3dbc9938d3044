"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_8e0bb466f2a4.py [--threads N] [--json]`.

Benchmark 8e0bb466f2a4f81ae980ca12c75108586c82681a1cd00474d1931678d47f4aa0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8e0bb466f2a4f81ae980ca12c75108586c82681a1cd00474d1931678d47f4aa0', SUITE, sys.argv[1:]))
