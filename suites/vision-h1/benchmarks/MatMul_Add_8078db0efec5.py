"""MatMul_Add alone: `python MatMul_Add_8078db0efec5.py [--threads N] [--json]`.

Benchmark 8078db0efec5576cfa644edfde71641a787d4dd3b58c4d66e86cd8fa66fa9b24,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8078db0efec5576cfa644edfde71641a787d4dd3b58c4d66e86cd8fa66fa9b24', SUITE, sys.argv[1:]))
