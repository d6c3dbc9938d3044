"""Mul alone: `python Mul_60ee615a8bf6.py [--threads N] [--json]`.

Benchmark 60ee615a8bf69a60748223058c2c05ecc2e567385529c76cc6e4f9e1340add44,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('60ee615a8bf69a60748223058c2c05ecc2e567385529c76cc6e4f9e1340add44', SUITE, sys.argv[1:]))
