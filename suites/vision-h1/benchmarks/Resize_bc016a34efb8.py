"""Resize alone: `python Resize_bc016a34efb8.py [--threads N] [--json]`.

Benchmark bc016a34efb8488663cd86e4e2162a78b481c6f2281f0eadf896384e32ce5aef,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bc016a34efb8488663cd86e4e2162a78b481c6f2281f0eadf896384e32ce5aef', SUITE, sys.argv[1:]))
