"""Conv_Relu alone: `python Conv_Relu_63609880d073.py [--threads N] [--json]`.

Benchmark 63609880d0734460a2f16c7ddf45f5da2c5077ff91930080338a7fdafc120e88,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('63609880d0734460a2f16c7ddf45f5da2c5077ff91930080338a7fdafc120e88', SUITE, sys.argv[1:]))
