"""MatMul_Add_Sigmoid_Mul alone: `python MatMul_Add_Sigmoid_Mul_4c8a4067484b.py [--threads N] [--json]`.

Benchmark 4c8a4067484ba3c5380962441459402bec0a14bd6fd00e6140d011bb9819fde3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4c8a4067484ba3c5380962441459402bec0a14bd6fd00e6140d011bb9819fde3', SUITE, sys.argv[1:]))
