"""Transpose alone: `python Transpose_5b069e4cf4ba.py [--threads N] [--json]`.

Benchmark 5b069e4cf4ba404f401cdd1964efa002b8140002404566556f7ac84c78210743,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5b069e4cf4ba404f401cdd1964efa002b8140002404566556f7ac84c78210743', SUITE, sys.argv[1:]))
