"""Mul alone: `python Mul_46d2c83726d3.py [--threads N] [--json]`.

Benchmark 46d2c83726d389fff8e496b11cc94ab307c17b969e39a8ef3989b588c3df2e28,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('46d2c83726d389fff8e496b11cc94ab307c17b969e39a8ef3989b588c3df2e28', SUITE, sys.argv[1:]))
