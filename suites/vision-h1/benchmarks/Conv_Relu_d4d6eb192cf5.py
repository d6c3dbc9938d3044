"""Conv_Relu alone: `python Conv_Relu_d4d6eb192cf5.py [--threads N] [--json]`.

Benchmark d4d6eb192cf5ca010f82ca03cc2fb006f994485fe019db16e1d2e18fddfd482e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d4d6eb192cf5ca010f82ca03cc2fb006f994485fe019db16e1d2e18fddfd482e', SUITE, sys.argv[1:]))
