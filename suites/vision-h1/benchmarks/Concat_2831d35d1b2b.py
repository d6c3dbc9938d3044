"""Concat alone: `python Concat_2831d35d1b2b.py [--threads N] [--json]`.

Benchmark 2831d35d1b2b887528a981c0ffc665d587a6c9d03faf3f2af1b65079b2c10f72,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2831d35d1b2b887528a981c0ffc665d587a6c9d03faf3f2af1b65079b2c10f72', SUITE, sys.argv[1:]))
