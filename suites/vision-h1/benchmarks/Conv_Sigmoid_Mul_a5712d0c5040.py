"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_a5712d0c5040.py [--threads N] [--json]`.

Benchmark a5712d0c5040001a5a8c3c83c472d812ea21a6a8a642ddf79f3ec7c57f9186f3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a5712d0c5040001a5a8c3c83c472d812ea21a6a8a642ddf79f3ec7c57f9186f3', SUITE, sys.argv[1:]))
