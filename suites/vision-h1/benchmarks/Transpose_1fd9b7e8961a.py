"""Transpose alone: `python Transpose_1fd9b7e8961a.py [--threads N] [--json]`.

Benchmark 1fd9b7e8961a0dc11833ab8653f1cd805367b3d1e5d674ba3d5c1786519e9581,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1fd9b7e8961a0dc11833ab8653f1cd805367b3d1e5d674ba3d5c1786519e9581', SUITE, sys.argv[1:]))
