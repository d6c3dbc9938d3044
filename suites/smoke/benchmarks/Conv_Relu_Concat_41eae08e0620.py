"""Conv_Relu_Concat alone: `python Conv_Relu_Concat_41eae08e0620.py [--threads N] [--json]`.

Benchmark 41eae08e06205e74693736d2b1014eb7e55c4f54982b876bdb2eb609a8aac17e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('41eae08e06205e74693736d2b1014eb7e55c4f54982b876bdb2eb609a8aac17e', SUITE, sys.argv[1:]))
