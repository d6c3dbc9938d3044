"""Concat alone: `python Concat_8069bca8a397.py [--threads N] [--json]`.

Benchmark 8069bca8a397231a98b95daf327e19e924e783c84c7757327f7dcb82f2345639,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8069bca8a397231a98b95daf327e19e924e783c84c7757327f7dcb82f2345639', SUITE, sys.argv[1:]))
