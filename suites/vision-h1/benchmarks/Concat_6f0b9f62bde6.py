"""Concat alone: `python Concat_6f0b9f62bde6.py [--threads N] [--json]`.

Benchmark 6f0b9f62bde66e64e62391a2a8bf801b53b48fae03ee08e18da1b7eeef105e07,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6f0b9f62bde66e64e62391a2a8bf801b53b48fae03ee08e18da1b7eeef105e07', SUITE, sys.argv[1:]))
