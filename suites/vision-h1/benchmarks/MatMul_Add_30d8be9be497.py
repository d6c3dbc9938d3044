"""MatMul_Add alone: `python MatMul_Add_30d8be9be497.py [--threads N] [--json]`.

Benchmark 30d8be9be497bb63563048a608d253829b5652dae171c0d2c45cbf4496f574e8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('30d8be9be497bb63563048a608d253829b5652dae171c0d2c45cbf4496f574e8', SUITE, sys.argv[1:]))
