"""Conv_Relu alone: `python Conv_Relu_7a17a6b234ac.py [--threads N] [--json]`.

Benchmark 7a17a6b234aca1b120113535b66e9d2a2bc9ae8c0f21179e81ed7e5d8326b363,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7a17a6b234aca1b120113535b66e9d2a2bc9ae8c0f21179e81ed7e5d8326b363', SUITE, sys.argv[1:]))
