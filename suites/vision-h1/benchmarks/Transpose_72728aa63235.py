"""Transpose alone: `python Transpose_72728aa63235.py [--threads N] [--json]`.

Benchmark 72728aa63235ba4db4acb905807e5173b017d01d2ec466aa6602b77b1a9cc026,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('72728aa63235ba4db4acb905807e5173b017d01d2ec466aa6602b77b1a9cc026', SUITE, sys.argv[1:]))
