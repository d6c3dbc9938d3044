"""MatMulInteger_Cast_Mul_Add alone: `python MatMulInteger_Cast_Mul_Add_853991ac70e8.py [--threads N] [--json]`.

Benchmark 853991ac70e8d0d1ac9d10efd3d58c73043c5eeab81afeab5c56cb2741af0a44,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('853991ac70e8d0d1ac9d10efd3d58c73043c5eeab81afeab5c56cb2741af0a44', SUITE, sys.argv[1:]))
