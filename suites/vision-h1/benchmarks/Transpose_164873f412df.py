"""Transpose alone: `python Transpose_164873f412df.py [--threads N] [--json]`.

Benchmark 164873f412dfdf1d3ab5c54437909fb3ad4eee8e633183363a88e18c47f59fce,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('164873f412dfdf1d3ab5c54437909fb3ad4eee8e633183363a88e18c47f59fce', SUITE, sys.argv[1:]))
