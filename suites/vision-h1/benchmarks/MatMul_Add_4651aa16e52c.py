"""MatMul_Add alone: `python MatMul_Add_4651aa16e52c.py [--threads N] [--json]`.

Benchmark 4651aa16e52c4553155c44c0dedcb9765eed5d10585cb9d7a575ca069ea614a2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4651aa16e52c4553155c44c0dedcb9765eed5d10585cb9d7a575ca069ea614a2', SUITE, sys.argv[1:]))
