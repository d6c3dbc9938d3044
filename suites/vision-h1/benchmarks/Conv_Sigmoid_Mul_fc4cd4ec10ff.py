"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_fc4cd4ec10ff.py [--threads N] [--json]`.

Benchmark fc4cd4ec10ff06a05d4964fb549f61dc142ffe8f08eb28d7d2cdb87e087a30af,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fc4cd4ec10ff06a05d4964fb549f61dc142ffe8f08eb28d7d2cdb87e087a30af', SUITE, sys.argv[1:]))
