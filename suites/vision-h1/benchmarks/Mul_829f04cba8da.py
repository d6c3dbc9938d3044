"""Mul alone: `python Mul_829f04cba8da.py [--threads N] [--json]`.

Benchmark 829f04cba8da73d3f546a7efd95f6bc5da6e807a40407784a8eb97e19bf24b3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('829f04cba8da73d3f546a7efd95f6bc5da6e807a40407784a8eb97e19bf24b3c', SUITE, sys.argv[1:]))
