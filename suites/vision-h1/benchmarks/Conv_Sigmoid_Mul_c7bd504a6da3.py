"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_c7bd504a6da3.py [--threads N] [--json]`.

Benchmark c7bd504a6da3e1837c774f954d0381fbb863f9e4c36319d9ef2c1d894222a0a4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c7bd504a6da3e1837c774f954d0381fbb863f9e4c36319d9ef2c1d894222a0a4', SUITE, sys.argv[1:]))
