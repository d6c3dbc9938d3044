"""Slice alone: `python Slice_16e88834c643.py [--threads N] [--json]`.

Benchmark 16e88834c64302113a212fa3d5e100bec5d7284ab27e74247f07e0ad16212ae6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('16e88834c64302113a212fa3d5e100bec5d7284ab27e74247f07e0ad16212ae6', SUITE, sys.argv[1:]))
