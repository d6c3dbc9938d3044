"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_cc6fe0bbcbea.py [--threads N] [--json]`.

Benchmark cc6fe0bbcbea488e8edfc9885424337c2059c9759c9ef1f10995ee98050c8f76,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cc6fe0bbcbea488e8edfc9885424337c2059c9759c9ef1f10995ee98050c8f76', SUITE, sys.argv[1:]))
