"""Transpose alone: `python Transpose_e31e8de60de3.py [--threads N] [--json]`.

Benchmark e31e8de60de37008fdb9ffb3bc30660c8209cbd46e867ecc1bbefea54b0426f4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e31e8de60de37008fdb9ffb3bc30660c8209cbd46e867ecc1bbefea54b0426f4', SUITE, sys.argv[1:]))
