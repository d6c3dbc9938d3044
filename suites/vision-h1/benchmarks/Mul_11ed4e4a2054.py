"""Mul alone: `python Mul_11ed4e4a2054.py [--threads N] [--json]`.

Benchmark 11ed4e4a2054b037b7a419af5c25cb586ca104d76cc5f320e7b6b4934662bd50,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11ed4e4a2054b037b7a419af5c25cb586ca104d76cc5f320e7b6b4934662bd50', SUITE, sys.argv[1:]))
