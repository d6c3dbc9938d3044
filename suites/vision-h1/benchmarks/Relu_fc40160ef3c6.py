"""Relu alone: `python Relu_fc40160ef3c6.py [--threads N] [--json]`.

Benchmark fc40160ef3c6b8f4a1f90f5627dc1047fbd93f6d32965da161468734cf0d6a0e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fc40160ef3c6b8f4a1f90f5627dc1047fbd93f6d32965da161468734cf0d6a0e', SUITE, sys.argv[1:]))
