"""Neg alone: `python Neg_3dd726656e5b.py [--threads N] [--json]`.

Benchmark 3dd726656e5b3154615c8876003aa1a85fb1eba983bc8363379a8ffc6b77bfa3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3dd726656e5b3154615c8876003aa1a85fb1eba983bc8363379a8ffc6b77bfa3', SUITE, sys.argv[1:]))
