"""Slice alone: `python Slice_9a2dbe1949a6.py [--threads N] [--json]`.

Benchmark 9a2dbe1949a6f1855ba5233233c46937ac29d858133bea8e470da2f301217e9a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9a2dbe1949a6f1855ba5233233c46937ac29d858133bea8e470da2f301217e9a', SUITE, sys.argv[1:]))
