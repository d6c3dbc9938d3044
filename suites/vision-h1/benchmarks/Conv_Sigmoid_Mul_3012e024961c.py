"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_3012e024961c.py [--threads N] [--json]`.

Benchmark 3012e024961cff90b395439cd92161ef3f18bd78d57b4f3c5dd71cff05810571,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3012e024961cff90b395439cd92161ef3f18bd78d57b4f3c5dd71cff05810571', SUITE, sys.argv[1:]))
