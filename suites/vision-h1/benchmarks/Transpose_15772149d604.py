"""Transpose alone: `python Transpose_15772149d604.py [--threads N] [--json]`.

Benchmark 15772149d6045c5381960210ffae69b42d83f42a140ea44d18a7b2d13639a8dd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('15772149d6045c5381960210ffae69b42d83f42a140ea44d18a7b2d13639a8dd', SUITE, sys.argv[1:]))
