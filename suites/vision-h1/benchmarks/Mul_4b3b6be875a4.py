"""Mul alone: `python Mul_4b3b6be875a4.py [--threads N] [--json]`.

Benchmark 4b3b6be875a40d175c41a889e8076c66423cbcd7e38b13b86478e820cd9c3d2d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4b3b6be875a40d175c41a889e8076c66423cbcd7e38b13b86478e820cd9c3d2d', SUITE, sys.argv[1:]))
