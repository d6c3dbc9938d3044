"""Transpose alone: `python Transpose_9c02994f2ab8.py [--threads N] [--json]`.

Benchmark 9c02994f2ab80c36cecb634fd1e09d62d0db4d3b23d18047446ebc462e7c2d43,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c02994f2ab80c36cecb634fd1e09d62d0db4d3b23d18047446ebc462e7c2d43', SUITE, sys.argv[1:]))
