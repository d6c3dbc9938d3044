"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_3a82000031c8.py [--threads N] [--json]`.

Benchmark 3a82000031c8bb16331d7a582072c82e01b9e9b40c0168c4f03c23ab46e2acde,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3a82000031c8bb16331d7a582072c82e01b9e9b40c0168c4f03c23ab46e2acde', SUITE, sys.argv[1:]))
