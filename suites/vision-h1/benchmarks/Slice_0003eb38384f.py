"""Slice alone: `python Slice_0003eb38384f.py [--threads N] [--json]`.

Benchmark 0003eb38384f390ffc273e02a29605bbd91e63a0001772f72b54e4bd5372f971,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0003eb38384f390ffc273e02a29605bbd91e63a0001772f72b54e4bd5372f971', SUITE, sys.argv[1:]))
