"""Slice alone: `python Slice_8c4d5559f826.py [--threads N] [--json]`.

Benchmark 8c4d5559f826c8512f96a3574407a7ee967c75e26d1f49ba68b401f4b867b72a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8c4d5559f826c8512f96a3574407a7ee967c75e26d1f49ba68b401f4b867b72a', SUITE, sys.argv[1:]))
