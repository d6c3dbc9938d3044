"""Conv_Relu alone: `python Conv_Relu_da7288ca4e03.py [--threads N] [--json]`.

Benchmark da7288ca4e037d67e22253c1b60a99b5835e3b6ff5fac8c5bfbc91cab9353a6b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('da7288ca4e037d67e22253c1b60a99b5835e3b6ff5fac8c5bfbc91cab9353a6b', SUITE, sys.argv[1:]))
