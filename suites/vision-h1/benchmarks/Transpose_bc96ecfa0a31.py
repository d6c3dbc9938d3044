"""Transpose alone: `python Transpose_bc96ecfa0a31.py [--threads N] [--json]`.

Benchmark bc96ecfa0a31dabf26f53329c3e699a19c4bff19010177824a727474935ad952,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bc96ecfa0a31dabf26f53329c3e699a19c4bff19010177824a727474935ad952', SUITE, sys.argv[1:]))
