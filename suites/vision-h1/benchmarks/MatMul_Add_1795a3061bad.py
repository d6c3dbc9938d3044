"""MatMul_Add alone: `python MatMul_Add_1795a3061bad.py [--threads N] [--json]`.

Benchmark 1795a3061baddae25be3f27e2ef8072b03e1fc6ba21aeb78b9ebdc780f74f988,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1795a3061baddae25be3f27e2ef8072b03e1fc6ba21aeb78b9ebdc780f74f988', SUITE, sys.argv[1:]))
