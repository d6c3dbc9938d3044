"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_33c0cecec9f0.py [--threads N] [--json]`.

Benchmark 33c0cecec9f0a2bc5b5160d5f95d60fcc99e44e0cd2814b540aac9863d8f7075,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('33c0cecec9f0a2bc5b5160d5f95d60fcc99e44e0cd2814b540aac9863d8f7075', SUITE, sys.argv[1:]))
