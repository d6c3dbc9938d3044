"""Conv_Sigmoid alone: `python Conv_Sigmoid_d7c4a120526f.py [--threads N] [--json]`.

Benchmark d7c4a120526f98fc697af8ea1ea6d3d94e9503817e730513f068e67f951a0e7c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7c4a120526f98fc697af8ea1ea6d3d94e9503817e730513f068e67f951a0e7c', SUITE, sys.argv[1:]))
