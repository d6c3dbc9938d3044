"""Transpose alone: `python Transpose_a8758f058009.py [--threads N] [--json]`.

Benchmark a8758f058009cdc860207620d16d0104c0849b02ea0ae9f45b94c154b25cbbf0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a8758f058009cdc860207620d16d0104c0849b02ea0ae9f45b94c154b25cbbf0', SUITE, sys.argv[1:]))
