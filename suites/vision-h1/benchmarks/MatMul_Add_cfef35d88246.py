"""MatMul_Add alone: `python MatMul_Add_cfef35d88246.py [--threads N] [--json]`.

Benchmark cfef35d88246e6be60054fdbf6171d9db52f910642c0fad86a644540b4659be8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cfef35d88246e6be60054fdbf6171d9db52f910642c0fad86a644540b4659be8', SUITE, sys.argv[1:]))
