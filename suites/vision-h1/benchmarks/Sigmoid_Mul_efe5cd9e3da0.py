"""Sigmoid_Mul alone: `python Sigmoid_Mul_efe5cd9e3da0.py [--threads N] [--json]`.

Benchmark efe5cd9e3da02e546f2005e07c930d01935fd849a521948bf7ed0adbc8195445,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('efe5cd9e3da02e546f2005e07c930d01935fd849a521948bf7ed0adbc8195445', SUITE, sys.argv[1:]))
