"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_6c4f4d5ce64d.py [--threads N] [--json]`.

Benchmark 6c4f4d5ce64d853f97bb23227023f7adc1d8e3b20f2cf5c0073d2fb09cf54c94,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c4f4d5ce64d853f97bb23227023f7adc1d8e3b20f2cf5c0073d2fb09cf54c94', SUITE, sys.argv[1:]))
