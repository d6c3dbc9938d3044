"""MatMul alone: `python MatMul_0943c5d01242.py [--threads N] [--json]`.

Benchmark 0943c5d012427eaa4f2248421e0fc0970a01c73b5356ca4c920699b1179e44cb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0943c5d012427eaa4f2248421e0fc0970a01c73b5356ca4c920699b1179e44cb', SUITE, sys.argv[1:]))
