"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_a85e03d2c718.py [--threads N] [--json]`.

Benchmark a85e03d2c718d9aba6a60f4c5488c1b49f1801b5662033c83ba5406e8bd41857,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a85e03d2c718d9aba6a60f4c5488c1b49f1801b5662033c83ba5406e8bd41857', SUITE, sys.argv[1:]))
