"""Gather alone: `python Gather_31d7f495fe2e.py [--threads N] [--json]`.

Benchmark 31d7f495fe2e0312e7fdb2ed380e46127653cb1106207b14da2f458a9ac13cab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('31d7f495fe2e0312e7fdb2ed380e46127653cb1106207b14da2f458a9ac13cab', SUITE, sys.argv[1:]))
