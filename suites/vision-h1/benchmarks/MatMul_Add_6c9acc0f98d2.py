"""MatMul_Add alone: `python MatMul_Add_6c9acc0f98d2.py [--threads N] [--json]`.

Benchmark 6c9acc0f98d2c9fd837454c20f29b0c210231b3411904621f938d01965c30074,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c9acc0f98d2c9fd837454c20f29b0c210231b3411904621f938d01965c30074', SUITE, sys.argv[1:]))
