"""Sigmoid_Mul alone: `python Sigmoid_Mul_d7c2e12af917.py [--threads N] [--json]`.

Benchmark d7c2e12af917ae6ab588723344c219d728310968c2e5f6517938cf8d95cef9de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7c2e12af917ae6ab588723344c219d728310968c2e5f6517938cf8d95cef9de', SUITE, sys.argv[1:]))
