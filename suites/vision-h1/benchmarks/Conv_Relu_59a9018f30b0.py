"""Conv_Relu alone: `python Conv_Relu_59a9018f30b0.py [--threads N] [--json]`.

Benchmark 59a9018f30b0f0015452e5a32b8d16c116d58a05383258503780b4b41eb4fac3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('59a9018f30b0f0015452e5a32b8d16c116d58a05383258503780b4b41eb4fac3', SUITE, sys.argv[1:]))
