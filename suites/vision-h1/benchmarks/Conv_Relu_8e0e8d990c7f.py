"""Conv_Relu alone: `python Conv_Relu_8e0e8d990c7f.py [--threads N] [--json]`.

Benchmark 8e0e8d990c7f04b8a0c5e6366c3a2d7d58c51f3ebb736e11476be5c9a4978089,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8e0e8d990c7f04b8a0c5e6366c3a2d7d58c51f3ebb736e11476be5c9a4978089', SUITE, sys.argv[1:]))
