"""MatMul_Add alone: `python MatMul_Add_5fcb94fe23e4.py [--threads N] [--json]`.

Benchmark 5fcb94fe23e46526e6fb243ec7616f5c479e47c3bfc2160375f7cfe86fb95ce1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5fcb94fe23e46526e6fb243ec7616f5c479e47c3bfc2160375f7cfe86fb95ce1', SUITE, sys.argv[1:]))
