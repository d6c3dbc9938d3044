"""Conv_Add_Relu alone: `python Conv_Add_Relu_02a493697faf.py [--threads N] [--json]`.

Benchmark 02a493697fafe01fc88b189b12686e16e56c217d140d460fb3e4eb27b3638c37,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('02a493697fafe01fc88b189b12686e16e56c217d140d460fb3e4eb27b3638c37', SUITE, sys.argv[1:]))
