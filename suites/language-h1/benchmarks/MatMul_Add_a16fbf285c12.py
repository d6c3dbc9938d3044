"""MatMul_Add alone: `python MatMul_Add_a16fbf285c12.py [--threads N] [--json]`.

Benchmark a16fbf285c123094367e34e114d5eb2805bba9b4da633720fc9eb59028416f3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a16fbf285c123094367e34e114d5eb2805bba9b4da633720fc9eb59028416f3c', SUITE, sys.argv[1:]))
