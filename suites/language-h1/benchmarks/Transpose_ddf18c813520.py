"""Transpose alone: `python Transpose_ddf18c813520.py [--threads N] [--json]`.

Benchmark ddf18c81352068db5dbb128445cbee8e6bd5578e27edf9fb76d93fc84cb17418,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ddf18c81352068db5dbb128445cbee8e6bd5578e27edf9fb76d93fc84cb17418', SUITE, sys.argv[1:]))
