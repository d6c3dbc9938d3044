"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_c53923b329b5.py [--threads N] [--json]`.

Benchmark c53923b329b5fab73cc618d506e3798c65090109fe3181ac4362b083ed7f6d67,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c53923b329b5fab73cc618d506e3798c65090109fe3181ac4362b083ed7f6d67', SUITE, sys.argv[1:]))
