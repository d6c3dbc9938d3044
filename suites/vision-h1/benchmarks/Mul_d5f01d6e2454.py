"""Mul alone: `python Mul_d5f01d6e2454.py [--threads N] [--json]`.

Benchmark d5f01d6e24547617f8b02200c3078077aacf3e75a5a0a45125cd91e6acf4782b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5f01d6e24547617f8b02200c3078077aacf3e75a5a0a45125cd91e6acf4782b', SUITE, sys.argv[1:]))
