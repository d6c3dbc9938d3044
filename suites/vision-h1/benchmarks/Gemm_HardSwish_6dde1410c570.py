"""Gemm_HardSwish alone: `python Gemm_HardSwish_6dde1410c570.py [--threads N] [--json]`.

Benchmark 6dde1410c570ade1095ffe0e775309d01610b052bd64c40b31c973d5a677780d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6dde1410c570ade1095ffe0e775309d01610b052bd64c40b31c973d5a677780d', SUITE, sys.argv[1:]))
