"""Mul alone: `python Mul_f6b45e57ca26.py [--threads N] [--json]`.

Benchmark f6b45e57ca2614fd4f71e557f0fb3a3efce4c0f66df49866e6ef27b888d9fade,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f6b45e57ca2614fd4f71e557f0fb3a3efce4c0f66df49866e6ef27b888d9fade', SUITE, sys.argv[1:]))
