"""Slice alone: `python Slice_2d5237704e97.py [--threads N] [--json]`.

Benchmark 2d5237704e97bd296cde7d8c33c1e2dbbb99f2ee3ab7656a998d7c67f8409ff7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2d5237704e97bd296cde7d8c33c1e2dbbb99f2ee3ab7656a998d7c67f8409ff7', SUITE, sys.argv[1:]))
