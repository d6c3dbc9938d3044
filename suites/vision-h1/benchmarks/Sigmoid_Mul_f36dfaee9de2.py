"""Sigmoid_Mul alone: `python Sigmoid_Mul_f36dfaee9de2.py [--threads N] [--json]`.

Benchmark f36dfaee9de278b1ad1c79366655f9ffcdc4175d97b6bf5f558b04fc0f17e9f1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f36dfaee9de278b1ad1c79366655f9ffcdc4175d97b6bf5f558b04fc0f17e9f1', SUITE, sys.argv[1:]))
