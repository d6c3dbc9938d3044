"""Conv_Relu alone: `python Conv_Relu_716610d6e18d.py [--threads N] [--json]`.

Benchmark 716610d6e18d4c8aeb0f3924471c23fae229bf65f9495a307bef09bc362f0f21,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('716610d6e18d4c8aeb0f3924471c23fae229bf65f9495a307bef09bc362f0f21', SUITE, sys.argv[1:]))
