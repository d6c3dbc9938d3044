"""Conv_Add_Relu alone: `python Conv_Add_Relu_1851669621ed.py [--threads N] [--json]`.

Benchmark 1851669621ed00067ec22c1f2aa60d95a647ef9fb468556939e013ac811bd8ea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1851669621ed00067ec22c1f2aa60d95a647ef9fb468556939e013ac811bd8ea', SUITE, sys.argv[1:]))
