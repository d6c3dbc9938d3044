"""Slice alone: `python Slice_8f21cbe0a731.py [--threads N] [--json]`.

Benchmark 8f21cbe0a731ddf9819b4ef1a5997b7b74dc810309fbafe78ab7367cc55e08d7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8f21cbe0a731ddf9819b4ef1a5997b7b74dc810309fbafe78ab7367cc55e08d7', SUITE, sys.argv[1:]))
