"""Transpose alone: `python Transpose_c772c5e1d924.py [--threads N] [--json]`.

Benchmark c772c5e1d92444031baed60aa64129d3028a3430428cd89935f41c054929c088,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c772c5e1d92444031baed60aa64129d3028a3430428cd89935f41c054929c088', SUITE, sys.argv[1:]))
