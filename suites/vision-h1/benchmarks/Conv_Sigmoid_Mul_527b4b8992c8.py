"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_527b4b8992c8.py [--threads N] [--json]`.

Benchmark 527b4b8992c85eb02079b70701843195c92d7f21605d1b6c0e93df6f28d1f65a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('527b4b8992c85eb02079b70701843195c92d7f21605d1b6c0e93df6f28d1f65a', SUITE, sys.argv[1:]))
