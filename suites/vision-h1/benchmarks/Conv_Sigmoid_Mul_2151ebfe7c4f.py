"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_2151ebfe7c4f.py [--threads N] [--json]`.

Benchmark 2151ebfe7c4fcbe6e8fa5f9ff75f0316d93da85429248744476d98ba570a7506,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2151ebfe7c4fcbe6e8fa5f9ff75f0316d93da85429248744476d98ba570a7506', SUITE, sys.argv[1:]))
