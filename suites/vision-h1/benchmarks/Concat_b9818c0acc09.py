"""Concat alone: `python Concat_b9818c0acc09.py [--threads N] [--json]`.

Benchmark b9818c0acc0933e3f3c390a6f08ffee295393bcd5ecdc8fc36d6156f362466b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b9818c0acc0933e3f3c390a6f08ffee295393bcd5ecdc8fc36d6156f362466b9', SUITE, sys.argv[1:]))
