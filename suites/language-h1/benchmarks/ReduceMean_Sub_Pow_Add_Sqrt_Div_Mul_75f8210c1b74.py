"""ReduceMean_Sub_Pow_Add_Sqrt_Div_Mul alone: `python ReduceMean_Sub_Pow_Add_Sqrt_Div_Mul_75f8210c1b74.py [--threads N] [--json]`.

Benchmark 75f8210c1b740604d6241c24a315e2ff001d075f7b8b47fb2b0f3a3d05af2dba,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('75f8210c1b740604d6241c24a315e2ff001d075f7b8b47fb2b0f3a3d05af2dba', SUITE, sys.argv[1:]))
