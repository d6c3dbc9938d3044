"""Transpose alone: `python Transpose_1af3fe472781.py [--threads N] [--json]`.

Benchmark 1af3fe472781c5f3ad711767f9626241dd76ebcb360657b2179514bfefea990f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1af3fe472781c5f3ad711767f9626241dd76ebcb360657b2179514bfefea990f', SUITE, sys.argv[1:]))
