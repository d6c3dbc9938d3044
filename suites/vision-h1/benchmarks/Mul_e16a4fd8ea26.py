"""Mul alone: `python Mul_e16a4fd8ea26.py [--threads N] [--json]`.

Benchmark e16a4fd8ea266d437c21106235a0d9d9383e2fd14b975adea1af9f330393a6e1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e16a4fd8ea266d437c21106235a0d9d9383e2fd14b975adea1af9f330393a6e1', SUITE, sys.argv[1:]))
