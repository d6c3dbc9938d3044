"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_c3fd344e8f92.py [--threads N] [--json]`.

Benchmark c3fd344e8f92fba89f162a525777e64e3bf838779dc7820ac0ed5292d7dd4f46,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c3fd344e8f92fba89f162a525777e64e3bf838779dc7820ac0ed5292d7dd4f46', SUITE, sys.argv[1:]))
