"""Transpose alone: `python Transpose_8ad1b6f68d06.py [--threads N] [--json]`.

Benchmark 8ad1b6f68d06b911fdaa42feb652ceb81f652cc88e97ef092fb8b4565b775bbd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8ad1b6f68d06b911fdaa42feb652ceb81f652cc88e97ef092fb8b4565b775bbd', SUITE, sys.argv[1:]))
