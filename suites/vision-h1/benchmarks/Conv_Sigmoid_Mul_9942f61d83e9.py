"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_9942f61d83e9.py [--threads N] [--json]`.

Benchmark 9942f61d83e96de26b3b6f983a131e19cbaa1cc5990463624754f7bd6eb568c2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9942f61d83e96de26b3b6f983a131e19cbaa1cc5990463624754f7bd6eb568c2', SUITE, sys.argv[1:]))
