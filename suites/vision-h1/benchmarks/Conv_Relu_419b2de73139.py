"""Conv_Relu alone: `python Conv_Relu_419b2de73139.py [--threads N] [--json]`.

Benchmark 419b2de731395b008e17636e3ac9da4625f828054786e525c460f919ff5af5a4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('419b2de731395b008e17636e3ac9da4625f828054786e525c460f919ff5af5a4', SUITE, sys.argv[1:]))
