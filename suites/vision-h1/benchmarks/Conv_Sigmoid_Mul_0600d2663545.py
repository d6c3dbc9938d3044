"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_0600d2663545.py [--threads N] [--json]`.

Benchmark 0600d2663545eed9c2324c24ce5f48d6f19b32e340a0f0b195bb9993455c5dbd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0600d2663545eed9c2324c24ce5f48d6f19b32e340a0f0b195bb9993455c5dbd', SUITE, sys.argv[1:]))
