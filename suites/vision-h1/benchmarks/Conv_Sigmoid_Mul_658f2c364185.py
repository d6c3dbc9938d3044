"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_658f2c364185.py [--threads N] [--json]`.

Benchmark 658f2c36418548bcc12040c1bb29ea6ec7d82b7fd2047bd484b8bdf86abd079e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('658f2c36418548bcc12040c1bb29ea6ec7d82b7fd2047bd484b8bdf86abd079e', SUITE, sys.argv[1:]))
