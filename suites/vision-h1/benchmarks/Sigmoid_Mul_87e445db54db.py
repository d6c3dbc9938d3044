"""Sigmoid_Mul alone: `python Sigmoid_Mul_87e445db54db.py [--threads N] [--json]`.

Benchmark 87e445db54db95021bc26edd9ef9715042fc214c977f4f1fb86df62fe760880e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('87e445db54db95021bc26edd9ef9715042fc214c977f4f1fb86df62fe760880e', SUITE, sys.argv[1:]))
