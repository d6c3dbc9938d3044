"""Slice alone: `python Slice_537275d40113.py [--threads N] [--json]`.

Benchmark 537275d4011324722fdc3cada5966c1a36bec6908b378a0788fea08d72f4f21c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('537275d4011324722fdc3cada5966c1a36bec6908b378a0788fea08d72f4f21c', SUITE, sys.argv[1:]))
