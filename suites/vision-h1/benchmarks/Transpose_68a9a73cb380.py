"""Transpose alone: `python Transpose_68a9a73cb380.py [--threads N] [--json]`.

Benchmark 68a9a73cb380be8423ff052a2d085d9cef95b8ee89f5b527b41ed40856ff86b0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('68a9a73cb380be8423ff052a2d085d9cef95b8ee89f5b527b41ed40856ff86b0', SUITE, sys.argv[1:]))
