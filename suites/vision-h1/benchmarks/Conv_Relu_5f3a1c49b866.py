"""Conv_Relu alone: `python Conv_Relu_5f3a1c49b866.py [--threads N] [--json]`.

Benchmark 5f3a1c49b866ca7c92addec1a80b12f3163c2e43bce38dc8dc3187fd08ff500d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5f3a1c49b866ca7c92addec1a80b12f3163c2e43bce38dc8dc3187fd08ff500d', SUITE, sys.argv[1:]))
