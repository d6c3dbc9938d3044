"""Slice alone: `python Slice_e517205727fc.py [--threads N] [--json]`.

Benchmark e517205727fc422660e09c5da73631da7fc4eca9d76f3d59fad4c3b769d96c40,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e517205727fc422660e09c5da73631da7fc4eca9d76f3d59fad4c3b769d96c40', SUITE, sys.argv[1:]))
