"""Relu alone: `python Relu_7868155e79dc.py [--threads N] [--json]`.

Benchmark 7868155e79dcd88100238eda8c3a4683f75764dc73ce22f485ab2a85d72f4cbe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7868155e79dcd88100238eda8c3a4683f75764dc73ce22f485ab2a85d72f4cbe', SUITE, sys.argv[1:]))
