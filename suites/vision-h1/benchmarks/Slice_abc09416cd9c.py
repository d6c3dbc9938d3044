"""Slice alone: `python Slice_abc09416cd9c.py [--threads N] [--json]`.

Benchmark abc09416cd9ce5e59f500cbe3db0dc2b9e0202a1eba3233e4bbd6a3cfa3320e3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('abc09416cd9ce5e59f500cbe3db0dc2b9e0202a1eba3233e4bbd6a3cfa3320e3', SUITE, sys.argv[1:]))
