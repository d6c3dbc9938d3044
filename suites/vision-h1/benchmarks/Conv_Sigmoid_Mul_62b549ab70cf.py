"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_62b549ab70cf.py [--threads N] [--json]`.

Benchmark 62b549ab70cf3f33cf9b83aa1e80231a7fe24a0eb30c540aa264597e39195156,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('62b549ab70cf3f33cf9b83aa1e80231a7fe24a0eb30c540aa264597e39195156', SUITE, sys.argv[1:]))
