"""Transpose alone: `python Transpose_698eecad7b7e.py [--threads N] [--json]`.

Benchmark 698eecad7b7ec67216c73c409245dba7baaf8ad121716f62678a09da0fd07361,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('698eecad7b7ec67216c73c409245dba7baaf8ad121716f62678a09da0fd07361', SUITE, sys.argv[1:]))
