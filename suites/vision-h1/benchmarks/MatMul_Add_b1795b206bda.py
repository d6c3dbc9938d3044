"""MatMul_Add alone: `python MatMul_Add_b1795b206bda.py [--threads N] [--json]`.

Benchmark b1795b206bda68dda5d6dc84c1ac854fb3d21aaab69ccc04f988251d6223c840,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b1795b206bda68dda5d6dc84c1ac854fb3d21aaab69ccc04f988251d6223c840', SUITE, sys.argv[1:]))
