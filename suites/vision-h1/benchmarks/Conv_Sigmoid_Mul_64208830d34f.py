"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_64208830d34f.py [--threads N] [--json]`.

Benchmark 64208830d34feb7d44a7b205c4664459b15977d7675383147d15b99755613ee1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('64208830d34feb7d44a7b205c4664459b15977d7675383147d15b99755613ee1', SUITE, sys.argv[1:]))
