"""MatMul_Add alone: `python MatMul_Add_98339a50f7e2.py [--threads N] [--json]`.

Benchmark 98339a50f7e203bb541b94f40f3f8b251b2fdf14aa84b010186abd25e497375d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('98339a50f7e203bb541b94f40f3f8b251b2fdf14aa84b010186abd25e497375d', SUITE, sys.argv[1:]))
