"""MatMul_Add alone: `python MatMul_Add_f8ddcea3a4bc.py [--threads N] [--json]`.

Benchmark f8ddcea3a4bc5f59e07280ff9f1914ecd6a5a6a8fa0aa798d40e0acb3b8a1000,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f8ddcea3a4bc5f59e07280ff9f1914ecd6a5a6a8fa0aa798d40e0acb3b8a1000', SUITE, sys.argv[1:]))
