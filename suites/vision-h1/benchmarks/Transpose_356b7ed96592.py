"""Transpose alone: `python Transpose_356b7ed96592.py [--threads N] [--json]`.

Benchmark 356b7ed9659202ffa6c214fc128fc4b277a133bd4f93c0593b1b4de55e2da009,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('356b7ed9659202ffa6c214fc128fc4b277a133bd4f93c0593b1b4de55e2da009', SUITE, sys.argv[1:]))
