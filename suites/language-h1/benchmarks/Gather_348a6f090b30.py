"""Gather alone: `python Gather_348a6f090b30.py [--threads N] [--json]`.

Benchmark 348a6f090b308d1c32eb6ad6d6dbc06dfe903a9c53c3fbb0bae0b1d4129c7f42,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('348a6f090b308d1c32eb6ad6d6dbc06dfe903a9c53c3fbb0bae0b1d4129c7f42', SUITE, sys.argv[1:]))
