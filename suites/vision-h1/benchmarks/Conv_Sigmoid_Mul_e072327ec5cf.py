"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_e072327ec5cf.py [--threads N] [--json]`.

Benchmark e072327ec5cf9066a338a7f88765ce4120225b88cc59626f6af5cbfb1ef7dd51,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e072327ec5cf9066a338a7f88765ce4120225b88cc59626f6af5cbfb1ef7dd51', SUITE, sys.argv[1:]))
