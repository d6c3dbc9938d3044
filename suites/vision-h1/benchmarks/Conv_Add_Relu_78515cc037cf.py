"""Conv_Add_Relu alone: `python Conv_Add_Relu_78515cc037cf.py [--threads N] [--json]`.

Benchmark 78515cc037cff61cef6d6d53fdb86fe268450eda458b933ff7df2e380e4ea69e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('78515cc037cff61cef6d6d53fdb86fe268450eda458b933ff7df2e380e4ea69e', SUITE, sys.argv[1:]))
