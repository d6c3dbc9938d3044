"""Conv_Relu alone: `python Conv_Relu_184f9b98dac5.py [--threads N] [--json]`.

Benchmark 184f9b98dac576f9d133ab28b90666e8667a8ae49d085776da36119db5d122b6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('184f9b98dac576f9d133ab28b90666e8667a8ae49d085776da36119db5d122b6', SUITE, sys.argv[1:]))
