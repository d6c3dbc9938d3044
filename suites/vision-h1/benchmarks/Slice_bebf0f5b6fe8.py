"""Slice alone: `python Slice_bebf0f5b6fe8.py [--threads N] [--json]`.

Benchmark bebf0f5b6fe8ae796b795ef4932540cb6258826725ebb7f78779bdf21f234b19,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bebf0f5b6fe8ae796b795ef4932540cb6258826725ebb7f78779bdf21f234b19', SUITE, sys.argv[1:]))
