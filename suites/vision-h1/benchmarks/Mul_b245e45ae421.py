"""Mul alone: `python Mul_b245e45ae421.py [--threads N] [--json]`.

Benchmark b245e45ae421aee605218f7bcd308d155a8d1e0985b38fed887879ace06e67d7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b245e45ae421aee605218f7bcd308d155a8d1e0985b38fed887879ace06e67d7', SUITE, sys.argv[1:]))
