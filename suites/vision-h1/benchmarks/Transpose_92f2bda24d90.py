"""Transpose alone: `python Transpose_92f2bda24d90.py [--threads N] [--json]`.

Benchmark 92f2bda24d9000ff405e5268f93a380cb63695ac16b099d82219d4751410fdda,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('92f2bda24d9000ff405e5268f93a380cb63695ac16b099d82219d4751410fdda', SUITE, sys.argv[1:]))
