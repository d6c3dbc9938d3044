"""Transpose alone: `python Transpose_2a8e32f1a9c8.py [--threads N] [--json]`.

Benchmark 2a8e32f1a9c8ab147f9b43347975a43fc7f90e4e9929d219cd71d25685f1d05c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2a8e32f1a9c8ab147f9b43347975a43fc7f90e4e9929d219cd71d25685f1d05c', SUITE, sys.argv[1:]))
