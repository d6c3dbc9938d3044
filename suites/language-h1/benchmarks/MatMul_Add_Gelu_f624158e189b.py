"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_f624158e189b.py [--threads N] [--json]`.

Benchmark f624158e189bdce62fae028f2c29f8dcdb72f861ed3aff28bf4f5c64d8d6a84e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f624158e189bdce62fae028f2c29f8dcdb72f861ed3aff28bf4f5c64d8d6a84e', SUITE, sys.argv[1:]))
