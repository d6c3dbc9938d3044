"""MatMul_Add alone: `python MatMul_Add_a164ca4265b8.py [--threads N] [--json]`.

Benchmark a164ca4265b829963f4138683c26d66fcfdc3b87b298a70d723bd94ede91228c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a164ca4265b829963f4138683c26d66fcfdc3b87b298a70d723bd94ede91228c', SUITE, sys.argv[1:]))
