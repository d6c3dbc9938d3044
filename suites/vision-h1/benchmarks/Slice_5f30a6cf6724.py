"""Slice alone: `python Slice_5f30a6cf6724.py [--threads N] [--json]`.

Benchmark 5f30a6cf6724b91f013eafc3f0f4b3bd33610c3392493a50246f0ba233bff48a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5f30a6cf6724b91f013eafc3f0f4b3bd33610c3392493a50246f0ba233bff48a', SUITE, sys.argv[1:]))
