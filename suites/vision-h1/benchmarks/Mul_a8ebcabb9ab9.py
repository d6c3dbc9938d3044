"""Mul alone: `python Mul_a8ebcabb9ab9.py [--threads N] [--json]`.

Benchmark a8ebcabb9ab91f90ceb34668004c394f96f6dd78cc1aac6f085d18adee48deb8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a8ebcabb9ab91f90ceb34668004c394f96f6dd78cc1aac6f085d18adee48deb8', SUITE, sys.argv[1:]))
