"""Transpose alone: `python Transpose_b513a6a19a17.py [--threads N] [--json]`.

Benchmark b513a6a19a17c6c8e336e62b1280aa6125884ea95bd44acee3f486729ce1b6b7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b513a6a19a17c6c8e336e62b1280aa6125884ea95bd44acee3f486729ce1b6b7', SUITE, sys.argv[1:]))
