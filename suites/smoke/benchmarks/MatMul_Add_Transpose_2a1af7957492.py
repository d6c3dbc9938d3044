"""MatMul_Add_Transpose alone: `python MatMul_Add_Transpose_2a1af7957492.py [--threads N] [--json]`.

Benchmark 2a1af7957492e8e82d6a6e1bffff1355bed02b3ec9a617c7ef025ecb4615d4dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2a1af7957492e8e82d6a6e1bffff1355bed02b3ec9a617c7ef025ecb4615d4dc', SUITE, sys.argv[1:]))
