"""Slice alone: `python Slice_d9e5a452d50e.py [--threads N] [--json]`.

Benchmark d9e5a452d50ec677759c421aee2c413b4a463009feda60a5761e14527a788c4b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d9e5a452d50ec677759c421aee2c413b4a463009feda60a5761e14527a788c4b', SUITE, sys.argv[1:]))
