"""Resize alone: `python Resize_d1161c10c2d1.py [--threads N] [--json]`.

Benchmark d1161c10c2d19c63b9c134e828803c4fb20fbe3a911423e86cb7b7a2e6135a44,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d1161c10c2d19c63b9c134e828803c4fb20fbe3a911423e86cb7b7a2e6135a44', SUITE, sys.argv[1:]))
