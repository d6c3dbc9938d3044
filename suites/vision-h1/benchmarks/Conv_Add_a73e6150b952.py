"""Conv_Add alone: `python Conv_Add_a73e6150b952.py [--threads N] [--json]`.

Benchmark a73e6150b95206a9a0f08e251d2b4027d4eeb43aadefced04a897f4ad616c305,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a73e6150b95206a9a0f08e251d2b4027d4eeb43aadefced04a897f4ad616c305', SUITE, sys.argv[1:]))
