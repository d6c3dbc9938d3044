"""Mul alone: `python Mul_e463eac1f650.py [--threads N] [--json]`.

Benchmark e463eac1f650a56eda7f7fe6fb91dfb3ebc962a9036336c7a0675a05d4d8cb08,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e463eac1f650a56eda7f7fe6fb91dfb3ebc962a9036336c7a0675a05d4d8cb08', SUITE, sys.argv[1:]))
