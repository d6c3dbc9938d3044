"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_5563316a2678.py [--threads N] [--json]`.

Benchmark 5563316a26789485ac6c18910caed9b3216aeb129a84121fffd8631f66f4e5dd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5563316a26789485ac6c18910caed9b3216aeb129a84121fffd8631f66f4e5dd', SUITE, sys.argv[1:]))
