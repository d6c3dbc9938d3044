"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_77bf1426ed18.py [--threads N] [--json]`.

Benchmark 77bf1426ed18fd4b644919513d20a15e527dd0261084b0c3a08a249db6b3acb7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('77bf1426ed18fd4b644919513d20a15e527dd0261084b0c3a08a249db6b3acb7', SUITE, sys.argv[1:]))
