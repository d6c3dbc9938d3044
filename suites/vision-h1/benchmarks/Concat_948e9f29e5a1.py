"""Concat alone: `python Concat_948e9f29e5a1.py [--threads N] [--json]`.

Benchmark 948e9f29e5a1aa4a47bc4b9987ad9c20fc996a9210a2efbaa459d90cdc4d4858,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('948e9f29e5a1aa4a47bc4b9987ad9c20fc996a9210a2efbaa459d90cdc4d4858', SUITE, sys.argv[1:]))
