"""Conv_Sigmoid alone: `python Conv_Sigmoid_817007e53b5b.py [--threads N] [--json]`.

Benchmark 817007e53b5bf4ca26134eb05e22b8a16e910018b0fb4e54c2dda6d720848c6c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('817007e53b5bf4ca26134eb05e22b8a16e910018b0fb4e54c2dda6d720848c6c', SUITE, sys.argv[1:]))
