"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_11dcaf45e833.py [--threads N] [--json]`.

Benchmark 11dcaf45e8334c2cf0fd5ef9eda554c79e5ccf99b78d5c76d2610edb8004ba54,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11dcaf45e8334c2cf0fd5ef9eda554c79e5ccf99b78d5c76d2610edb8004ba54', SUITE, sys.argv[1:]))
