"""Slice alone: `python Slice_28a1dff660e7.py [--threads N] [--json]`.

Benchmark 28a1dff660e7b0f6044ea357ae8052e16e16d662f54cf4fae02b69e30041ecff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('28a1dff660e7b0f6044ea357ae8052e16e16d662f54cf4fae02b69e30041ecff', SUITE, sys.argv[1:]))
