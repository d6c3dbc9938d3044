"""Conv_Relu alone: `python Conv_Relu_3ff9ef6f2120.py [--threads N] [--json]`.

Benchmark 3ff9ef6f2120088e6a1d5b7c1e36320428ea74bdde1f401c8bfebde691ca8eb5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ff9ef6f2120088e6a1d5b7c1e36320428ea74bdde1f401c8bfebde691ca8eb5', SUITE, sys.argv[1:]))
