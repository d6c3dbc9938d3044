"""MatMul_Add alone: `python MatMul_Add_5404cff5091f.py [--threads N] [--json]`.

Benchmark 5404cff5091f44e0cd717fd8ba88c140d5d109efcb8a73a409b8979939fdc259,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5404cff5091f44e0cd717fd8ba88c140d5d109efcb8a73a409b8979939fdc259', SUITE, sys.argv[1:]))
