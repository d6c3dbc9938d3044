"""Conv_Add_Relu alone: `python Conv_Add_Relu_96e98c4f87b5.py [--threads N] [--json]`.

Benchmark 96e98c4f87b5183a7a0cfa581b559ed01b3721dcee3d292f56b652903a698fa4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('96e98c4f87b5183a7a0cfa581b559ed01b3721dcee3d292f56b652903a698fa4', SUITE, sys.argv[1:]))
