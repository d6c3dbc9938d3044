"""Slice alone: `python Slice_1b2aca19295f.py [--threads N] [--json]`.

Benchmark 1b2aca19295f1476c4b8c2798c53ee3c39a3c0e7c5338d9015a3f8ec9f8b12e6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1b2aca19295f1476c4b8c2798c53ee3c39a3c0e7c5338d9015a3f8ec9f8b12e6', SUITE, sys.argv[1:]))
