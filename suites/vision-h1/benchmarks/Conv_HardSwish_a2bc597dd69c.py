"""Conv_HardSwish alone: `python Conv_HardSwish_a2bc597dd69c.py [--threads N] [--json]`.

Benchmark a2bc597dd69c593ca01acf7bb4c3b79f192084b6cfe5010688b61c474d69c9e8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a2bc597dd69c593ca01acf7bb4c3b79f192084b6cfe5010688b61c474d69c9e8', SUITE, sys.argv[1:]))
