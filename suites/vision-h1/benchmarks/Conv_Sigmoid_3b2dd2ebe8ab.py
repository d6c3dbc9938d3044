"""Conv_Sigmoid alone: `python Conv_Sigmoid_3b2dd2ebe8ab.py [--threads N] [--json]`.

Benchmark 3b2dd2ebe8ab2eb93dde6c5c87d4ea5778361c8888470ece8a99bca4a82955c9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b2dd2ebe8ab2eb93dde6c5c87d4ea5778361c8888470ece8a99bca4a82955c9', SUITE, sys.argv[1:]))
