"""MatMul_Add alone: `python MatMul_Add_f1e7bcd70026.py [--threads N] [--json]`.

Benchmark f1e7bcd70026c5543b0c72159e899742a16d837e5e4ef1da5e08f1e211238788,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1e7bcd70026c5543b0c72159e899742a16d837e5e4ef1da5e08f1e211238788', SUITE, sys.argv[1:]))
