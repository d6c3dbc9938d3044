"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_792791ca8c34.py [--threads N] [--json]`.

Benchmark 792791ca8c3415d5c36402c8a6e58416da8af14e8e217032f4f9f0b404de0599,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('792791ca8c3415d5c36402c8a6e58416da8af14e8e217032f4f9f0b404de0599', SUITE, sys.argv[1:]))
