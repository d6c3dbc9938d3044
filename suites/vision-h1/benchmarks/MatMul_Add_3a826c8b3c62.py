"""MatMul_Add alone: `python MatMul_Add_3a826c8b3c62.py [--threads N] [--json]`.

Benchmark 3a826c8b3c62b776c39c592c11f00b09eeabf43b9f56d79501c81e7df69fa0e3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3a826c8b3c62b776c39c592c11f00b09eeabf43b9f56d79501c81e7df69fa0e3', SUITE, sys.argv[1:]))
