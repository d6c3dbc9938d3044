"""Transpose alone: `python Transpose_23806fcdee78.py [--threads N] [--json]`.

Benchmark 23806fcdee7802e34d44359898df2050b5ee7be586ea71781c21d34e7792bc1b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('23806fcdee7802e34d44359898df2050b5ee7be586ea71781c21d34e7792bc1b', SUITE, sys.argv[1:]))
