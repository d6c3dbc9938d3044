"""Transpose alone: `python Transpose_797ddbae2285.py [--threads N] [--json]`.

Benchmark 797ddbae22851f3e666e1b024461f8fadb45c3fbb98356231f5743d5d22ccdfd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('797ddbae22851f3e666e1b024461f8fadb45c3fbb98356231f5743d5d22ccdfd', SUITE, sys.argv[1:]))
