"""Transpose alone: `python Transpose_86a971a4da02.py [--threads N] [--json]`.

Benchmark 86a971a4da025750609d791b4b1ee88ae0f53096bed81e74e50876bcd8df9dc7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('86a971a4da025750609d791b4b1ee88ae0f53096bed81e74e50876bcd8df9dc7', SUITE, sys.argv[1:]))
