"""Mul alone: `python Mul_3d1e5ebb3641.py [--threads N] [--json]`.

Benchmark 3d1e5ebb3641a1675f20d8000846a504d237782935013b47386a7992b009f1fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d1e5ebb3641a1675f20d8000846a504d237782935013b47386a7992b009f1fe', SUITE, sys.argv[1:]))
