"""Slice alone: `python Slice_9d22b213f733.py [--threads N] [--json]`.

Benchmark 9d22b213f733a177c973a04591824e904486b0c3ea29b384423dc056f840728a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9d22b213f733a177c973a04591824e904486b0c3ea29b384423dc056f840728a', SUITE, sys.argv[1:]))
