"""Softmax alone: `python Softmax_4af270c56dda.py [--threads N] [--json]`.

Benchmark 4af270c56dda4499faed1d4749c5ad3c9a9e16c47a94198533ce01ef91da0cfc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4af270c56dda4499faed1d4749c5ad3c9a9e16c47a94198533ce01ef91da0cfc', SUITE, sys.argv[1:]))
