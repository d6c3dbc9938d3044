"""Transpose alone: `python Transpose_46d251bce5a9.py [--threads N] [--json]`.

Benchmark 46d251bce5a9cc4022e7bc0854cb91f70d732cfc9cab21adacacd9b15079c173,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('46d251bce5a9cc4022e7bc0854cb91f70d732cfc9cab21adacacd9b15079c173', SUITE, sys.argv[1:]))
