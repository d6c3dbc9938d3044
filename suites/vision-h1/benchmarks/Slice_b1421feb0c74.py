"""Slice alone: `python Slice_b1421feb0c74.py [--threads N] [--json]`.

Benchmark b1421feb0c742eda50bb6444048bf8b51bf46045b233fc24e5c86e69d3158aa8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b1421feb0c742eda50bb6444048bf8b51bf46045b233fc24e5c86e69d3158aa8', SUITE, sys.argv[1:]))
