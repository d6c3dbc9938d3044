"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_8c6006034a28.py [--threads N] [--json]`.

Benchmark 8c6006034a285f17155ffb805ab0c06871260e9f0c96f224f2db0ab41b59bdcf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8c6006034a285f17155ffb805ab0c06871260e9f0c96f224f2db0ab41b59bdcf', SUITE, sys.argv[1:]))
