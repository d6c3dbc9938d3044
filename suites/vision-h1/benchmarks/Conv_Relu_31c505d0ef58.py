"""Conv_Relu alone: `python Conv_Relu_31c505d0ef58.py [--threads N] [--json]`.

Benchmark 31c505d0ef58f24377bdb922a9b371185ab39a4a7aba547325be93e119205a42,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('31c505d0ef58f24377bdb922a9b371185ab39a4a7aba547325be93e119205a42', SUITE, sys.argv[1:]))
