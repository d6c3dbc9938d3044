"""Slice alone: `python Slice_7820a43d736f.py [--threads N] [--json]`.

Benchmark 7820a43d736f2d7c7beba7592b80a824ac88dd6dae60834c804c1c64c0e17a1a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7820a43d736f2d7c7beba7592b80a824ac88dd6dae60834c804c1c64c0e17a1a', SUITE, sys.argv[1:]))
