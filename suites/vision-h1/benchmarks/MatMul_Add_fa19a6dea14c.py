"""MatMul_Add alone: `python MatMul_Add_fa19a6dea14c.py [--threads N] [--json]`.

Benchmark fa19a6dea14cde836f0d1f0436010e728d60427adda4270bf838e78c97feef7e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa19a6dea14cde836f0d1f0436010e728d60427adda4270bf838e78c97feef7e', SUITE, sys.argv[1:]))
