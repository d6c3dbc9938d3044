"""Mul alone: `python Mul_105aae30465a.py [--threads N] [--json]`.

Benchmark 105aae30465a0d19824e0883be634fc4fb45064a04d971cc6d13dce196d39a4c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('105aae30465a0d19824e0883be634fc4fb45064a04d971cc6d13dce196d39a4c', SUITE, sys.argv[1:]))
