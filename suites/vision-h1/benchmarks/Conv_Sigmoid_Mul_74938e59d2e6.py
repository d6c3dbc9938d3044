"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_74938e59d2e6.py [--threads N] [--json]`.

Benchmark 74938e59d2e611188c072869858a993579945f5e7255f4342dfca12532611db8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('74938e59d2e611188c072869858a993579945f5e7255f4342dfca12532611db8', SUITE, sys.argv[1:]))
