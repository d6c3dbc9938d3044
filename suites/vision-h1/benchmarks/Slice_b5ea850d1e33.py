"""Slice alone: `python Slice_b5ea850d1e33.py [--threads N] [--json]`.

Benchmark b5ea850d1e3393d844c2117b4c00ed6b50aeefa5edfd078cb0daaaca9795177a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5ea850d1e3393d844c2117b4c00ed6b50aeefa5edfd078cb0daaaca9795177a', SUITE, sys.argv[1:]))
