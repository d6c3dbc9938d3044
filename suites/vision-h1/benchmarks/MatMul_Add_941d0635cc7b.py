"""MatMul_Add alone: `python MatMul_Add_941d0635cc7b.py [--threads N] [--json]`.

Benchmark 941d0635cc7be2bebcdb38743ebb6792cf5ca4c44959f824dfe22b34d0be91e2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('941d0635cc7be2bebcdb38743ebb6792cf5ca4c44959f824dfe22b34d0be91e2', SUITE, sys.argv[1:]))
