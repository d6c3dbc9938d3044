"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_8c0a5b7e6c17.py [--threads N] [--json]`.

Benchmark 8c0a5b7e6c1791a1b1b1a7c973907b34845eef9306b364e1b4542f59891162f8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8c0a5b7e6c1791a1b1b1a7c973907b34845eef9306b364e1b4542f59891162f8', SUITE, sys.argv[1:]))
