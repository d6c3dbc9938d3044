"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_43e56fb22244.py [--threads N] [--json]`.

Benchmark 43e56fb2224438cf66d5ccf142f81bd8d62ef8823f0a8c611379ad6160df0ca5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('43e56fb2224438cf66d5ccf142f81bd8d62ef8823f0a8c611379ad6160df0ca5', SUITE, sys.argv[1:]))
