"""Conv_Relu alone: `python Conv_Relu_388e27435462.py [--threads N] [--json]`.

Benchmark 388e27435462b44bd3eef62e6cf9158014d7880d9fea731588c2d6803564e257,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('388e27435462b44bd3eef62e6cf9158014d7880d9fea731588c2d6803564e257', SUITE, sys.argv[1:]))
