"""Add alone: `python Add_cf22f2748d98.py [--threads N] [--json]`.

Benchmark cf22f2748d986915b7bd0168bc58ed5a8a262b28cf883ec819f78fa18e688c1c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cf22f2748d986915b7bd0168bc58ed5a8a262b28cf883ec819f78fa18e688c1c', SUITE, sys.argv[1:]))
