"""Concat alone: `python Concat_c675718d27b6.py [--threads N] [--json]`.

Benchmark c675718d27b6b063c99a193634b357fb982c5f0a09331533f07231b0c2b8da9d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c675718d27b6b063c99a193634b357fb982c5f0a09331533f07231b0c2b8da9d', SUITE, sys.argv[1:]))
