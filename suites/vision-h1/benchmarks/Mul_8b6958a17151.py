"""Mul alone: `python Mul_8b6958a17151.py [--threads N] [--json]`.

Benchmark 8b6958a17151b752c35a2eb723044b3341853e484caff23d5e996402c037285c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8b6958a17151b752c35a2eb723044b3341853e484caff23d5e996402c037285c', SUITE, sys.argv[1:]))
