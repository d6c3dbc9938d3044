"""Conv_Relu alone: `python Conv_Relu_2f97ef0d8033.py [--threads N] [--json]`.

Benchmark 2f97ef0d80337f3d2aec25af32c5a66093d2b7a426c5753f49dfd797566d02f3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f97ef0d80337f3d2aec25af32c5a66093d2b7a426c5753f49dfd797566d02f3', SUITE, sys.argv[1:]))
