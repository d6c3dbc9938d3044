"""Mul alone: `python Mul_dc655aa9c358.py [--threads N] [--json]`.

Benchmark dc655aa9c358ed701137ad6e5cf6aeb266162e37cd0f91fcbae12fb1847f8915,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dc655aa9c358ed701137ad6e5cf6aeb266162e37cd0f91fcbae12fb1847f8915', SUITE, sys.argv[1:]))
