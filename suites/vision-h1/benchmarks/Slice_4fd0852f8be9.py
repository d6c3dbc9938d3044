"""Slice alone: `python Slice_4fd0852f8be9.py [--threads N] [--json]`.

Benchmark 4fd0852f8be90fe95b46b1f410abe444544926dfdfa1a309ce57de4d3d7f596a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4fd0852f8be90fe95b46b1f410abe444544926dfdfa1a309ce57de4d3d7f596a', SUITE, sys.argv[1:]))
