"""MatMul_Add alone: `python MatMul_Add_d7db04d9f0ef.py [--threads N] [--json]`.

Benchmark d7db04d9f0ef2d84f0c75a00c8aae9b27fa5e2199bdc5c4be3d27193758602f3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7db04d9f0ef2d84f0c75a00c8aae9b27fa5e2199bdc5c4be3d27193758602f3', SUITE, sys.argv[1:]))
