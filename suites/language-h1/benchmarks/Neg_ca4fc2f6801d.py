"""Neg alone: `python Neg_ca4fc2f6801d.py [--threads N] [--json]`.

Benchmark ca4fc2f6801dd363796a1cecc022eaf3e335cb5336cbb7f494b86e35f90710c6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca4fc2f6801dd363796a1cecc022eaf3e335cb5336cbb7f494b86e35f90710c6', SUITE, sys.argv[1:]))
