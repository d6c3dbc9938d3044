"""Transpose alone: `python Transpose_700231dea2cf.py [--threads N] [--json]`.

Benchmark 700231dea2cf4b899d9bafafdb8dbb95a28a93c2f0f81d04e9fefdabd3daa8b1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('700231dea2cf4b899d9bafafdb8dbb95a28a93c2f0f81d04e9fefdabd3daa8b1', SUITE, sys.argv[1:]))
