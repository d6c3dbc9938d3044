"""Conv_Sigmoid alone: `python Conv_Sigmoid_0fe586441401.py [--threads N] [--json]`.

Benchmark 0fe58644140101532e5da3f4fa99cc4ecc5b155885eb892df0804141cd78cbd0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0fe58644140101532e5da3f4fa99cc4ecc5b155885eb892df0804141cd78cbd0', SUITE, sys.argv[1:]))
