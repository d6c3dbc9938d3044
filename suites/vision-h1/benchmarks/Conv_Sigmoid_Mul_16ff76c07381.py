"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_16ff76c07381.py [--threads N] [--json]`.

Benchmark 16ff76c073818850943f369304a57d5999490589346ccedecd9bc488dd16447c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('16ff76c073818850943f369304a57d5999490589346ccedecd9bc488dd16447c', SUITE, sys.argv[1:]))
