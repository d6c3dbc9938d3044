"""Conv_Relu alone: `python Conv_Relu_1ab5323ec4d6.py [--threads N] [--json]`.

Benchmark 1ab5323ec4d6ae3ad3d4e416d6382c86c17a38aeda35c28f5f36e1a62d34e8b3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1ab5323ec4d6ae3ad3d4e416d6382c86c17a38aeda35c28f5f36e1a62d34e8b3', SUITE, sys.argv[1:]))
