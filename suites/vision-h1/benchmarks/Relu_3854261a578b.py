"""Relu alone: `python Relu_3854261a578b.py [--threads N] [--json]`.

Benchmark 3854261a578b0c9c5cb383cb98a8368ea41f012a6cdd4b97bc6a2a88612b0c55,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3854261a578b0c9c5cb383cb98a8368ea41f012a6cdd4b97bc6a2a88612b0c55', SUITE, sys.argv[1:]))
