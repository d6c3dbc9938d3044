"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_52847a2ff6ab.py [--threads N] [--json]`.

Benchmark 52847a2ff6abc8cd5e1f5d66e88724bb52f1f58ba54adb531fd731278e0366f4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('52847a2ff6abc8cd5e1f5d66e88724bb52f1f58ba54adb531fd731278e0366f4', SUITE, sys.argv[1:]))
