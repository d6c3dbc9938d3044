"""MatMul_Add alone: `python MatMul_Add_a7428ab537a3.py [--threads N] [--json]`.

Benchmark a7428ab537a3e9fa79677e2b4d771477a4ca39a34512b41b3796b759d630b882,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a7428ab537a3e9fa79677e2b4d771477a4ca39a34512b41b3796b759d630b882', SUITE, sys.argv[1:]))
