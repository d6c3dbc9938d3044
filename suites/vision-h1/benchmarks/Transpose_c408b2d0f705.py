"""Transpose alone: `python Transpose_c408b2d0f705.py [--threads N] [--json]`.

Benchmark c408b2d0f705c38e8b949d00d9b6283ca988e8d351f592061f2ccf16bd1580f9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c408b2d0f705c38e8b949d00d9b6283ca988e8d351f592061f2ccf16bd1580f9', SUITE, sys.argv[1:]))
