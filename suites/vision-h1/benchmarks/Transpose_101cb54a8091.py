"""Transpose alone: `python Transpose_101cb54a8091.py [--threads N] [--json]`.

Benchmark 101cb54a8091c1df10bbb2d9de1bd20c304b14c6a6a59354624ca8707d419453,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('101cb54a8091c1df10bbb2d9de1bd20c304b14c6a6a59354624ca8707d419453', SUITE, sys.argv[1:]))
