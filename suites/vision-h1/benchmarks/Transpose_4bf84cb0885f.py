"""Transpose alone: `python Transpose_4bf84cb0885f.py [--threads N] [--json]`.

Benchmark 4bf84cb0885f2fe46d94dc66c615b39fb3cce78b04c4ad9fb7323c12efd5eb70,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4bf84cb0885f2fe46d94dc66c615b39fb3cce78b04c4ad9fb7323c12efd5eb70', SUITE, sys.argv[1:]))
