"""Slice alone: `python Slice_034505c18c2e.py [--threads N] [--json]`.

Benchmark 034505c18c2eedc6fc85cd51f86c4cfc7031937995665af3d65da9422dc1d39e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('034505c18c2eedc6fc85cd51f86c4cfc7031937995665af3d65da9422dc1d39e', SUITE, sys.argv[1:]))
