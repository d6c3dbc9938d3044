"""MatMul_Add alone: `python MatMul_Add_a08facbc27c5.py [--threads N] [--json]`.

Benchmark a08facbc27c500e6be8a6b3b0da3833cb05e5095b8ddbcfb9cad9efe11df0f42,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a08facbc27c500e6be8a6b3b0da3833cb05e5095b8ddbcfb9cad9efe11df0f42', SUITE, sys.argv[1:]))
