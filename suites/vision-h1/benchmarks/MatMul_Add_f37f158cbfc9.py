"""MatMul_Add alone: `python MatMul_Add_f37f158cbfc9.py [--threads N] [--json]`.

Benchmark f37f158cbfc9d0499be32a1779668ab3fbc932422f97aea872b98ebae185f2fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f37f158cbfc9d0499be32a1779668ab3fbc932422f97aea872b98ebae185f2fb', SUITE, sys.argv[1:]))
