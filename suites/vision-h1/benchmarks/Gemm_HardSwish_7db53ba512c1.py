"""Gemm_HardSwish alone: `python Gemm_HardSwish_7db53ba512c1.py [--threads N] [--json]`.

Benchmark 7db53ba512c1db881c4248f185abde4a8719aea3a5039284275a7c7fb3856b1d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7db53ba512c1db881c4248f185abde4a8719aea3a5039284275a7c7fb3856b1d', SUITE, sys.argv[1:]))
