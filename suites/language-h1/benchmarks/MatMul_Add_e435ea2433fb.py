"""MatMul_Add alone: `python MatMul_Add_e435ea2433fb.py [--threads N] [--json]`.

Benchmark e435ea2433fbb8892ce30db7565e36534360ac6d81592f1b9c635519c91649a0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e435ea2433fbb8892ce30db7565e36534360ac6d81592f1b9c635519c91649a0', SUITE, sys.argv[1:]))
