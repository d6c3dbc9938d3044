"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_53f40b7e60cd.py [--threads N] [--json]`.

Benchmark 53f40b7e60cde7df778fc643c8237f44587208402304d45f72f2a4ac0d936bac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('53f40b7e60cde7df778fc643c8237f44587208402304d45f72f2a4ac0d936bac', SUITE, sys.argv[1:]))
