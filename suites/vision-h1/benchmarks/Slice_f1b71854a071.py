"""Slice alone: `python Slice_f1b71854a071.py [--threads N] [--json]`.

Benchmark f1b71854a071a1699eb22d015b305a9396cbcbf64d7eb9389f98862013658eb3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1b71854a071a1699eb22d015b305a9396cbcbf64d7eb9389f98862013658eb3', SUITE, sys.argv[1:]))
