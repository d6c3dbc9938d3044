"""Slice alone: `python Slice_db2fd446a02c.py [--threads N] [--json]`.

Benchmark db2fd446a02c38fbc9d701e0c42c3c8a8fc07b0f729506c9c55bd086dd8995e0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('db2fd446a02c38fbc9d701e0c42c3c8a8fc07b0f729506c9c55bd086dd8995e0', SUITE, sys.argv[1:]))
