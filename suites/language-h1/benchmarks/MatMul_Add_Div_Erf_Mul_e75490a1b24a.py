"""MatMul_Add_Div_Erf_Mul alone: `python MatMul_Add_Div_Erf_Mul_e75490a1b24a.py [--threads N] [--json]`.

Benchmark e75490a1b24a019fee5ce3dd7771fe7f7106a1d01409e085dac45fe5a8bf91f1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e75490a1b24a019fee5ce3dd7771fe7f7106a1d01409e085dac45fe5a8bf91f1', SUITE, sys.argv[1:]))
