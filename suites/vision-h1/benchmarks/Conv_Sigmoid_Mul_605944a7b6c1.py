"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_605944a7b6c1.py [--threads N] [--json]`.

Benchmark 605944a7b6c1d44157aa2c2cace3c0dfb7df8f6317daf8ab06be7aa825b4042b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('605944a7b6c1d44157aa2c2cace3c0dfb7df8f6317daf8ab06be7aa825b4042b', SUITE, sys.argv[1:]))
