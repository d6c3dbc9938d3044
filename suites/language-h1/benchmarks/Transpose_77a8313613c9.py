"""Transpose alone: `python Transpose_77a8313613c9.py [--threads N] [--json]`.

Benchmark 77a8313613c93883e06ef281a402e5a6d10000e1a5f1786b108d76826ff8cd64,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('77a8313613c93883e06ef281a402e5a6d10000e1a5f1786b108d76826ff8cd64', SUITE, sys.argv[1:]))
