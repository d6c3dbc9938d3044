"""Transpose alone: `python Transpose_a67e849d3b63.py [--threads N] [--json]`.

Benchmark a67e849d3b63f75d2d81c4bb85aed39c0df2990c6812bfa210d79fe145bb8480,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a67e849d3b63f75d2d81c4bb85aed39c0df2990c6812bfa210d79fe145bb8480', SUITE, sys.argv[1:]))
