"""Sigmoid_Mul alone: `python Sigmoid_Mul_0dff1aace263.py [--threads N] [--json]`.

Benchmark 0dff1aace2630924a9f30764b4d0c2b69cf9a31d87347782184af888a963edbc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0dff1aace2630924a9f30764b4d0c2b69cf9a31d87347782184af888a963edbc', SUITE, sys.argv[1:]))
