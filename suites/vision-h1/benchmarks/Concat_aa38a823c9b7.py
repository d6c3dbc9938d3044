"""Concat alone: `python Concat_aa38a823c9b7.py [--threads N] [--json]`.

Benchmark aa38a823c9b772c06ceafab8762f270f1ee25701f7c5c02e0246fd89afdd27ed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aa38a823c9b772c06ceafab8762f270f1ee25701f7c5c02e0246fd89afdd27ed', SUITE, sys.argv[1:]))
