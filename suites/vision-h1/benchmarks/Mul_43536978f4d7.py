"""Mul alone: `python Mul_43536978f4d7.py [--threads N] [--json]`.

Benchmark 43536978f4d7f537499fd7e347bd4d3112950d345175a2a785b699aa9b29f8d0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('43536978f4d7f537499fd7e347bd4d3112950d345175a2a785b699aa9b29f8d0', SUITE, sys.argv[1:]))
