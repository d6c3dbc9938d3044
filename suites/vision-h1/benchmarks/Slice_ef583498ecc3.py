"""Slice alone: `python Slice_ef583498ecc3.py [--threads N] [--json]`.

Benchmark ef583498ecc3dc4378edab638cc7882a7eb6668ea0fafa3d2356b648d7a4053c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ef583498ecc3dc4378edab638cc7882a7eb6668ea0fafa3d2356b648d7a4053c', SUITE, sys.argv[1:]))
