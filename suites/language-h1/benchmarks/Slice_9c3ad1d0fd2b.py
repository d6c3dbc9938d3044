"""Slice alone: `python Slice_9c3ad1d0fd2b.py [--threads N] [--json]`.

Benchmark 9c3ad1d0fd2bebb23562987f58fa1147da213104b50fc064f5e059a1fd8a011f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c3ad1d0fd2bebb23562987f58fa1147da213104b50fc064f5e059a1fd8a011f', SUITE, sys.argv[1:]))
