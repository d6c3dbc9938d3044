"""Conv_Relu alone: `python Conv_Relu_d7ff2d532441.py [--threads N] [--json]`.

Benchmark d7ff2d532441129debdf6056bf3b4262d2a5076298ee3c00a8e7028a2d611ca8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7ff2d532441129debdf6056bf3b4262d2a5076298ee3c00a8e7028a2d611ca8', SUITE, sys.argv[1:]))
