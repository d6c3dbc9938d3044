"""Conv_Relu alone: `python Conv_Relu_663f74610b82.py [--threads N] [--json]`.

Benchmark 663f74610b8294f7ea857f182b2eca78b60b66e82e4889cc7f94dfca4bebe077,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('663f74610b8294f7ea857f182b2eca78b60b66e82e4889cc7f94dfca4bebe077', SUITE, sys.argv[1:]))
