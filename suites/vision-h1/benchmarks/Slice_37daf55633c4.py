"""Slice alone: `python Slice_37daf55633c4.py [--threads N] [--json]`.

Benchmark 37daf55633c494da4859eb43471312ea9e6e2db78c6c7e689e3a065788174735,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('37daf55633c494da4859eb43471312ea9e6e2db78c6c7e689e3a065788174735', SUITE, sys.argv[1:]))
