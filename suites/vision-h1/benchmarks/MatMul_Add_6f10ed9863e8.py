"""MatMul_Add alone: `python MatMul_Add_6f10ed9863e8.py [--threads N] [--json]`.

Benchmark 6f10ed9863e83681703e7f49b61bc100ea68bd90efa81efc16d78d2e20aaeaf5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6f10ed9863e83681703e7f49b61bc100ea68bd90efa81efc16d78d2e20aaeaf5', SUITE, sys.argv[1:]))
