"""Conv_Relu alone: `python Conv_Relu_a55792372032.py [--threads N] [--json]`.

Benchmark a55792372032be391110e5786b45df1826aa23def28756920a14c0504a3fa880,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a55792372032be391110e5786b45df1826aa23def28756920a14c0504a3fa880', SUITE, sys.argv[1:]))
