"""Add alone: `python Add_1504c3fe54ac.py [--threads N] [--json]`.

Benchmark 1504c3fe54ac851ab3f1138efa52856f3102d82290a2d839c84e9721dcbbadba,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1504c3fe54ac851ab3f1138efa52856f3102d82290a2d839c84e9721dcbbadba', SUITE, sys.argv[1:]))
