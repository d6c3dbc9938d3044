"""Concat alone: `python Concat_2dd05990e6ee.py [--threads N] [--json]`.

Benchmark 2dd05990e6ee42170a0b13f22147502c56b1e987d6c502acdda10c4f44fddae3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2dd05990e6ee42170a0b13f22147502c56b1e987d6c502acdda10c4f44fddae3', SUITE, sys.argv[1:]))
