"""Conv_Relu alone: `python Conv_Relu_8a3b38a294df.py [--threads N] [--json]`.

Benchmark 8a3b38a294df439a120359da1688c9a1ee482064d43c8047b3d78a913e8123c9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8a3b38a294df439a120359da1688c9a1ee482064d43c8047b3d78a913e8123c9', SUITE, sys.argv[1:]))
