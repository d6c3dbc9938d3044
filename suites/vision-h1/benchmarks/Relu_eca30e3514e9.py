"""Relu alone: `python Relu_eca30e3514e9.py [--threads N] [--json]`.

Benchmark eca30e3514e9934767de6f85af3e4f18f60fdeb6b38ad9df74e9a92e1243d5f6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eca30e3514e9934767de6f85af3e4f18f60fdeb6b38ad9df74e9a92e1243d5f6', SUITE, sys.argv[1:]))
