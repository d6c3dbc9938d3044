"""Transpose alone: `python Transpose_d7a92324180e.py [--threads N] [--json]`.

Benchmark d7a92324180ed5858521b63d8c41f23618ab88a74c40a7d608ac1211f1221e07,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7a92324180ed5858521b63d8c41f23618ab88a74c40a7d608ac1211f1221e07', SUITE, sys.argv[1:]))
