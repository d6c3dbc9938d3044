"""Mul alone: `python Mul_ae1224a47512.py [--threads N] [--json]`.

Benchmark ae1224a475127071d26ae54de366fe2aa02a5f30f509dbbb7adcb973420ba72e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae1224a475127071d26ae54de366fe2aa02a5f30f509dbbb7adcb973420ba72e', SUITE, sys.argv[1:]))
