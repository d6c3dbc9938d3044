"""Gemm alone: `python Gemm_fd1be3e646db.py [--threads N] [--json]`.

Benchmark fd1be3e646dbc5a464a92ee8b660ca4596c3b48203bc066bd87a8998fa03c65d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fd1be3e646dbc5a464a92ee8b660ca4596c3b48203bc066bd87a8998fa03c65d', SUITE, sys.argv[1:]))
