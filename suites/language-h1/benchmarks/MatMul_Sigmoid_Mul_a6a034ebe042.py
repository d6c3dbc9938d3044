"""MatMul_Sigmoid_Mul alone: `python MatMul_Sigmoid_Mul_a6a034ebe042.py [--threads N] [--json]`.

Benchmark a6a034ebe0420eb96d5428940588c9e2d061d74d940ff89002b2ca06222c2ca4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a6a034ebe0420eb96d5428940588c9e2d061d74d940ff89002b2ca06222c2ca4', SUITE, sys.argv[1:]))
