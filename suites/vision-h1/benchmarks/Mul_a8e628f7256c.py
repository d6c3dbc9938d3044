"""Mul alone: `python Mul_a8e628f7256c.py [--threads N] [--json]`.

Benchmark a8e628f7256ca7ba906bd6b416b7a605195169ca4da0c43d05f564e07d46c844,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a8e628f7256ca7ba906bd6b416b7a605195169ca4da0c43d05f564e07d46c844', SUITE, sys.argv[1:]))
