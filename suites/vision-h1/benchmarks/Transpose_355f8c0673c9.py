"""Transpose alone: `python Transpose_355f8c0673c9.py [--threads N] [--json]`.

Benchmark 355f8c0673c9cfe0d9284e71d554771b73baedd089375cef07809e39cab7735e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('355f8c0673c9cfe0d9284e71d554771b73baedd089375cef07809e39cab7735e', SUITE, sys.argv[1:]))
