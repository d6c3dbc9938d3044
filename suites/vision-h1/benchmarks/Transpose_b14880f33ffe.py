"""Transpose alone: `python Transpose_b14880f33ffe.py [--threads N] [--json]`.

Benchmark b14880f33ffec20b7a696f54541dc6bc468d3f408501af86f87296f2db3e57b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b14880f33ffec20b7a696f54541dc6bc468d3f408501af86f87296f2db3e57b9', SUITE, sys.argv[1:]))
