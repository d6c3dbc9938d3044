"""Gemm_HardSwish alone: `python Gemm_HardSwish_b366fd3ba390.py [--threads N] [--json]`.

Benchmark b366fd3ba390dc296cafe60f00638450f106004aba7dcb15fb051f6aa8bcff8c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b366fd3ba390dc296cafe60f00638450f106004aba7dcb15fb051f6aa8bcff8c', SUITE, sys.argv[1:]))
