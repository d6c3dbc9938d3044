"""Mul alone: `python Mul_79044cf240cf.py [--threads N] [--json]`.

Benchmark 79044cf240cf3e3356e2dc3c0fad190a345d40ce39990fc5fa65aa9f6720f325,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('79044cf240cf3e3356e2dc3c0fad190a345d40ce39990fc5fa65aa9f6720f325', SUITE, sys.argv[1:]))
