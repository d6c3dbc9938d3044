"""MatMul_Add alone: `python MatMul_Add_464016bed880.py [--threads N] [--json]`.

Benchmark 464016bed880b37173e1c9d23693c858fb55112266f24bf607368c7a3c4f5d89,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('464016bed880b37173e1c9d23693c858fb55112266f24bf607368c7a3c4f5d89', SUITE, sys.argv[1:]))
