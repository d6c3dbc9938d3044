"""Conv_Relu alone: `python Conv_Relu_2f52a63e4646.py [--threads N] [--json]`.

Benchmark 2f52a63e4646aacfc05fb71fe2997d7ccb1f16eba22e7dce313e26df09562e71,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f52a63e4646aacfc05fb71fe2997d7ccb1f16eba22e7dce313e26df09562e71', SUITE, sys.argv[1:]))
