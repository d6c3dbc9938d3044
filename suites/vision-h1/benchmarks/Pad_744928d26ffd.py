"""Pad alone: `python Pad_744928d26ffd.py [--threads N] [--json]`.

Benchmark 744928d26ffd2d13b810c75ef6097fb540679f8a43b4e43c7f21eb4d5c8e763c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('744928d26ffd2d13b810c75ef6097fb540679f8a43b4e43c7f21eb4d5c8e763c', SUITE, sys.argv[1:]))
