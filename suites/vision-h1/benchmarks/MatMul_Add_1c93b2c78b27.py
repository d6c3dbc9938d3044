"""MatMul_Add alone: `python MatMul_Add_1c93b2c78b27.py [--threads N] [--json]`.

Benchmark 1c93b2c78b2758134214043b31e24594e66ebe58fbb7ef269d4494bfe8b44ce2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1c93b2c78b2758134214043b31e24594e66ebe58fbb7ef269d4494bfe8b44ce2', SUITE, sys.argv[1:]))
