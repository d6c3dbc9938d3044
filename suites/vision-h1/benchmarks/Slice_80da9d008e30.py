"""Slice alone: `python Slice_80da9d008e30.py [--threads N] [--json]`.

Benchmark 80da9d008e30ff3a879711f94b6f8769398d45b12ad929241519bb73b748960c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('80da9d008e30ff3a879711f94b6f8769398d45b12ad929241519bb73b748960c', SUITE, sys.argv[1:]))
