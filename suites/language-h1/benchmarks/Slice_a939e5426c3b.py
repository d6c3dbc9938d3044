"""Slice alone: `python Slice_a939e5426c3b.py [--threads N] [--json]`.

Benchmark a939e5426c3b3b882a1eab417044b3328f16acfdea7ca853e48583078ef213b1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a939e5426c3b3b882a1eab417044b3328f16acfdea7ca853e48583078ef213b1', SUITE, sys.argv[1:]))
