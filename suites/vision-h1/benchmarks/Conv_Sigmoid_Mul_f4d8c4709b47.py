"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_f4d8c4709b47.py [--threads N] [--json]`.

Benchmark f4d8c4709b47d80c624b71f37d40c73bae4df9667f6d5e85731cb1474d2b1226,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4d8c4709b47d80c624b71f37d40c73bae4df9667f6d5e85731cb1474d2b1226', SUITE, sys.argv[1:]))
