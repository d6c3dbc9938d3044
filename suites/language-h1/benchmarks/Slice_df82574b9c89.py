"""Slice alone: `python Slice_df82574b9c89.py [--threads N] [--json]`.

Benchmark df82574b9c89ba82ef7a1e1b714bd405cc616a17625fe94196f94730cfcac19a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('df82574b9c89ba82ef7a1e1b714bd405cc616a17625fe94196f94730cfcac19a', SUITE, sys.argv[1:]))
