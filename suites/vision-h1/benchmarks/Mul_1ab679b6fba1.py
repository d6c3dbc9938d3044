"""Mul alone: `python Mul_1ab679b6fba1.py [--threads N] [--json]`.

Benchmark 1ab679b6fba141783369b76ba7622f5b95981dc36b66e0e2835789f75dda3ff5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1ab679b6fba141783369b76ba7622f5b95981dc36b66e0e2835789f75dda3ff5', SUITE, sys.argv[1:]))
