"""Transpose alone: `python Transpose_8571f6b179f4.py [--threads N] [--json]`.

Benchmark 8571f6b179f4400416e07e013c1c9a5bdba5edeb6583435329ffb2a6dfbb099c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8571f6b179f4400416e07e013c1c9a5bdba5edeb6583435329ffb2a6dfbb099c', SUITE, sys.argv[1:]))
