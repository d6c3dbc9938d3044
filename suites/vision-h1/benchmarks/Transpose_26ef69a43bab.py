"""Transpose alone: `python Transpose_26ef69a43bab.py [--threads N] [--json]`.

Benchmark 26ef69a43bab738887b36b9a64c8d75e225e44dbab21d3266dbfb9b8dce0ccc1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('26ef69a43bab738887b36b9a64c8d75e225e44dbab21d3266dbfb9b8dce0ccc1', SUITE, sys.argv[1:]))
