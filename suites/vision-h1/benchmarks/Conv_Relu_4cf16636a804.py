"""Conv_Relu alone: `python Conv_Relu_4cf16636a804.py [--threads N] [--json]`.

Benchmark 4cf16636a8040663459e0312cab96db465ea4c05fbc2af3b39969caf7a35e6a3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4cf16636a8040663459e0312cab96db465ea4c05fbc2af3b39969caf7a35e6a3', SUITE, sys.argv[1:]))
