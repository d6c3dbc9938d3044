"""Transpose alone: `python Transpose_0c456e0bc98e.py [--threads N] [--json]`.

Benchmark 0c456e0bc98e6f770d6319e16b66c5a3d1034d5b012214fb9813d7e7f66f6c2e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0c456e0bc98e6f770d6319e16b66c5a3d1034d5b012214fb9813d7e7f66f6c2e', SUITE, sys.argv[1:]))
