"""Transpose alone: `python Transpose_736db6dc4455.py [--threads N] [--json]`.

Benchmark 736db6dc4455d99e261eae9e86e0f22ff045f6650162c356f9cc97e756c759bc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('736db6dc4455d99e261eae9e86e0f22ff045f6650162c356f9cc97e756c759bc', SUITE, sys.argv[1:]))
