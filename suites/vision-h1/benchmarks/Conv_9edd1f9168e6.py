"""Conv alone: `python Conv_9edd1f9168e6.py [--threads N] [--json]`.

Benchmark 9edd1f9168e6f4d68ac20bf244d6c15a94106e951b6565f9d5b00a9fcd3578ef,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9edd1f9168e6f4d68ac20bf244d6c15a94106e951b6565f9d5b00a9fcd3578ef', SUITE, sys.argv[1:]))
