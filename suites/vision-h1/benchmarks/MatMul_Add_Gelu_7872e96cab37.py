"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_7872e96cab37.py [--threads N] [--json]`.

Benchmark 7872e96cab37d558e5c07966169a754ce54019a787e014ffd1bc0b6c3a47e8ac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7872e96cab37d558e5c07966169a754ce54019a787e014ffd1bc0b6c3a47e8ac', SUITE, sys.argv[1:]))
