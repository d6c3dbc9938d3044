"""MatMul_Add alone: `python MatMul_Add_ebfdfb39481a.py [--threads N] [--json]`.

Benchmark ebfdfb39481a4614773a04c8ac4daaf1a1748c3291f2f02fc906429e8ebcea92,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ebfdfb39481a4614773a04c8ac4daaf1a1748c3291f2f02fc906429e8ebcea92', SUITE, sys.argv[1:]))
