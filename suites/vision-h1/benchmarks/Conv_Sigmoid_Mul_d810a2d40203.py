"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_d810a2d40203.py [--threads N] [--json]`.

Benchmark d810a2d40203f79b72a9246aae38cc8076b3663fabbdc4a56c9213bed0566b11,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d810a2d40203f79b72a9246aae38cc8076b3663fabbdc4a56c9213bed0566b11', SUITE, sys.argv[1:]))
