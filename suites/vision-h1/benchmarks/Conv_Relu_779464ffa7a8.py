"""Conv_Relu alone: `python Conv_Relu_779464ffa7a8.py [--threads N] [--json]`.

Benchmark 779464ffa7a8777036052a0b246665add843a4d8457e3c2e58f964f100b7ef3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('779464ffa7a8777036052a0b246665add843a4d8457e3c2e58f964f100b7ef3c', SUITE, sys.argv[1:]))
