"""Transpose alone: `python Transpose_7b70aa464eb5.py [--threads N] [--json]`.

Benchmark 7b70aa464eb5959f4f4e630097072ccabcb79575baf2f123d1c02022306608f0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b70aa464eb5959f4f4e630097072ccabcb79575baf2f123d1c02022306608f0', SUITE, sys.argv[1:]))
