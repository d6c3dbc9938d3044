"""Conv_Relu alone: `python Conv_Relu_3e7fba0bc132.py [--threads N] [--json]`.

Benchmark 3e7fba0bc1325dd4932518c93c1f15d46d3e09d8f4b2fb08def160562ae88263,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3e7fba0bc1325dd4932518c93c1f15d46d3e09d8f4b2fb08def160562ae88263', SUITE, sys.argv[1:]))
