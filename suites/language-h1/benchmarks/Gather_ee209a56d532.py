"""Gather alone: `python Gather_ee209a56d532.py [--threads N] [--json]`.

Benchmark ee209a56d532133b0144a31ce01ccf03451d7e6f307e5af02ed803881b120b3b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee209a56d532133b0144a31ce01ccf03451d7e6f307e5af02ed803881b120b3b', SUITE, sys.argv[1:]))
