"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_53f8b541b634.py [--threads N] [--json]`.

Benchmark 53f8b541b634c38af13be03851f47a07269dd862ced7dc60962f36c7350e89ba,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('53f8b541b634c38af13be03851f47a07269dd862ced7dc60962f36c7350e89ba', SUITE, sys.argv[1:]))
