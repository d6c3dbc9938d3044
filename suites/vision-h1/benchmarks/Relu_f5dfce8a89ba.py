"""Relu alone: `python Relu_f5dfce8a89ba.py [--threads N] [--json]`.

Benchmark f5dfce8a89ba46f51230e150b1d46185efc595d791e0f3c3f42f4c0502105f4d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5dfce8a89ba46f51230e150b1d46185efc595d791e0f3c3f42f4c0502105f4d', SUITE, sys.argv[1:]))
