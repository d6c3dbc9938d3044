"""Slice alone: `python Slice_95d764fade4e.py [--threads N] [--json]`.

Benchmark 95d764fade4ede5fc82c0aafad1cbdd6945352ba78d1f256693e4ce4d3a1aa25,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('95d764fade4ede5fc82c0aafad1cbdd6945352ba78d1f256693e4ce4d3a1aa25', SUITE, sys.argv[1:]))
