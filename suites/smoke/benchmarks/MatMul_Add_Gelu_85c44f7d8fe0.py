"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_85c44f7d8fe0.py [--threads N] [--json]`.

Benchmark 85c44f7d8fe0db3e9191644588fae621c69380af2f57aae2c7d2152f04eff47e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85c44f7d8fe0db3e9191644588fae621c69380af2f57aae2c7d2152f04eff47e', SUITE, sys.argv[1:]))
