"""MatMul_Relu alone: `python MatMul_Relu_572b3a2a5f25.py [--threads N] [--json]`.

Benchmark 572b3a2a5f25e6c4ab032bf7b57e048efa5f25277512af89bc2c8681cec6a7bf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('572b3a2a5f25e6c4ab032bf7b57e048efa5f25277512af89bc2c8681cec6a7bf', SUITE, sys.argv[1:]))
