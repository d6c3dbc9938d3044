"""Conv_Relu alone: `python Conv_Relu_2194afcb0d65.py [--threads N] [--json]`.

Benchmark 2194afcb0d65165933e7578e7e49aac8594f0a13b87ad0dd29c17753a5462904,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2194afcb0d65165933e7578e7e49aac8594f0a13b87ad0dd29c17753a5462904', SUITE, sys.argv[1:]))
