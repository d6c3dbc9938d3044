"""Relu alone: `python Relu_0d68f8787476.py [--threads N] [--json]`.

Benchmark 0d68f87874765e1e5fef3d34ee276083f4f795968a7ad88340a85934ed0be186,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0d68f87874765e1e5fef3d34ee276083f4f795968a7ad88340a85934ed0be186', SUITE, sys.argv[1:]))
