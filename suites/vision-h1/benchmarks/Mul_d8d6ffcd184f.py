"""Mul alone: `python Mul_d8d6ffcd184f.py [--threads N] [--json]`.

Benchmark d8d6ffcd184fa026ad777b3a0fe916f1528e9fd9e5ee13226fc6ff0d1954ddb3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d8d6ffcd184fa026ad777b3a0fe916f1528e9fd9e5ee13226fc6ff0d1954ddb3', SUITE, sys.argv[1:]))
