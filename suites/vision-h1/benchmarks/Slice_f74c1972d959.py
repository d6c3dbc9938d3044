"""Slice alone: `python Slice_f74c1972d959.py [--threads N] [--json]`.

Benchmark f74c1972d959fa23e945f2131daf10107a0cbcf99f2e56c14237b3c4bd510aa6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f74c1972d959fa23e945f2131daf10107a0cbcf99f2e56c14237b3c4bd510aa6', SUITE, sys.argv[1:]))
