"""Conv_Relu alone: `python Conv_Relu_790e7858b47d.py [--threads N] [--json]`.

Benchmark 790e7858b47d6fb075cb040fd25fcb1a195fd28fdcc182ac7d8cf129cab6e5b4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('790e7858b47d6fb075cb040fd25fcb1a195fd28fdcc182ac7d8cf129cab6e5b4', SUITE, sys.argv[1:]))
