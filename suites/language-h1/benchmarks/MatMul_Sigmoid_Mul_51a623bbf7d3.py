"""MatMul_Sigmoid_Mul alone: `python MatMul_Sigmoid_Mul_51a623bbf7d3.py [--threads N] [--json]`.

Benchmark 51a623bbf7d352917a47ab82e62342f3d7c5ef259a39e9c00aa452dd66d64d5a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('51a623bbf7d352917a47ab82e62342f3d7c5ef259a39e9c00aa452dd66d64d5a', SUITE, sys.argv[1:]))
