"""Conv_Relu alone: `python Conv_Relu_2792b9ecc9f7.py [--threads N] [--json]`.

Benchmark 2792b9ecc9f70121125efce8c95a772a346afa33ca53fcad4ab3a0b61e37667b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2792b9ecc9f70121125efce8c95a772a346afa33ca53fcad4ab3a0b61e37667b', SUITE, sys.argv[1:]))
