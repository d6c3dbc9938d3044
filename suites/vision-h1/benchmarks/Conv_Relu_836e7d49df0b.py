"""Conv_Relu alone: `python Conv_Relu_836e7d49df0b.py [--threads N] [--json]`.

Benchmark 836e7d49df0b5e15430f092e8f8774d46bea6b491757f8af3f297406b19ee5aa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('836e7d49df0b5e15430f092e8f8774d46bea6b491757f8af3f297406b19ee5aa', SUITE, sys.argv[1:]))
