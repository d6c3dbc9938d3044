"""Transpose alone: `python Transpose_2926f3c8649f.py [--threads N] [--json]`.

Benchmark 2926f3c8649f6f35e66f6cf046bf81180fb095930dcef52162a2b535b2ebd274,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2926f3c8649f6f35e66f6cf046bf81180fb095930dcef52162a2b535b2ebd274', SUITE, sys.argv[1:]))
