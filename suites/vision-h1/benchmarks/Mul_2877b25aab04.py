"""Mul alone: `python Mul_2877b25aab04.py [--threads N] [--json]`.

Benchmark 2877b25aab04477d1e1abeac6397b743ac63d724896f53b5c0dc4aad3a0770d3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2877b25aab04477d1e1abeac6397b743ac63d724896f53b5c0dc4aad3a0770d3', SUITE, sys.argv[1:]))
