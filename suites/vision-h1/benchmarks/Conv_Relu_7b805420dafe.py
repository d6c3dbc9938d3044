"""Conv_Relu alone: `python Conv_Relu_7b805420dafe.py [--threads N] [--json]`.

Benchmark 7b805420dafe9d4873fdd440f38bd05bb42d7ce9d36074901ee7a31a9f9cda41,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b805420dafe9d4873fdd440f38bd05bb42d7ce9d36074901ee7a31a9f9cda41', SUITE, sys.argv[1:]))
