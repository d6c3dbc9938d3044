"""Mul alone: `python Mul_e2500cc221d6.py [--threads N] [--json]`.

Benchmark e2500cc221d67ae67b0baa12dc93796fb98f1cee4f63d29ec9b0871365fbf356,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e2500cc221d67ae67b0baa12dc93796fb98f1cee4f63d29ec9b0871365fbf356', SUITE, sys.argv[1:]))
