"""MatMul_Add alone: `python MatMul_Add_f6198cbdc4a2.py [--threads N] [--json]`.

Benchmark f6198cbdc4a2a1bcdcc59195218e89569f5fe07f88afcfb04c7bbf5dc98731dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f6198cbdc4a2a1bcdcc59195218e89569f5fe07f88afcfb04c7bbf5dc98731dc', SUITE, sys.argv[1:]))
