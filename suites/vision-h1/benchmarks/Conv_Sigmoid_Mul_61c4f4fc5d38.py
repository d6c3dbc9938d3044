"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_61c4f4fc5d38.py [--threads N] [--json]`.

Benchmark 61c4f4fc5d382a81fda1a4eedad0d415ac4d9f4d4c4a74372c41b4214cce7fe3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('61c4f4fc5d382a81fda1a4eedad0d415ac4d9f4d4c4a74372c41b4214cce7fe3', SUITE, sys.argv[1:]))
