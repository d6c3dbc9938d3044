"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_d57ccbdb8877.py [--threads N] [--json]`.

Benchmark d57ccbdb8877ba2ff8d19a704e046e9de5b81b62b9cf1f0d5c0f26eb66d72488,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d57ccbdb8877ba2ff8d19a704e046e9de5b81b62b9cf1f0d5c0f26eb66d72488', SUITE, sys.argv[1:]))
