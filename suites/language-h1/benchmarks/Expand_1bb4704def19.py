"""Expand alone: `python Expand_1bb4704def19.py [--threads N] [--json]`.

Benchmark 1bb4704def1961f90613b2fa2c2af1e61bb8950e0d00ed1088a0b029d692ef53,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1bb4704def1961f90613b2fa2c2af1e61bb8950e0d00ed1088a0b029d692ef53', SUITE, sys.argv[1:]))
