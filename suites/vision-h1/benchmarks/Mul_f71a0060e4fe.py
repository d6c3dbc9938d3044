"""Mul alone: `python Mul_f71a0060e4fe.py [--threads N] [--json]`.

Benchmark f71a0060e4fe29fb23f58bca3d24f4233b3c02d0273e634b57ff46ff0497fa44,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f71a0060e4fe29fb23f58bca3d24f4233b3c02d0273e634b57ff46ff0497fa44', SUITE, sys.argv[1:]))
