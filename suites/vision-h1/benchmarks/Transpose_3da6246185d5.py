"""Transpose alone: `python Transpose_3da6246185d5.py [--threads N] [--json]`.

Benchmark 3da6246185d5a559db513880e17e500344220f68d9323ea02ff998f0801e2817,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3da6246185d5a559db513880e17e500344220f68d9323ea02ff998f0801e2817', SUITE, sys.argv[1:]))
