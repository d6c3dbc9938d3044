"""Conv_Relu alone: `python Conv_Relu_a27756537c1b.py [--threads N] [--json]`.

Benchmark a27756537c1b29256e2e62b9013d26b1186ab9926ba5b206aa6f622e16e3de3d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a27756537c1b29256e2e62b9013d26b1186ab9926ba5b206aa6f622e16e3de3d', SUITE, sys.argv[1:]))
