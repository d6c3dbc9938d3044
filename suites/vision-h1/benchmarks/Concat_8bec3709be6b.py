"""Concat alone: `python Concat_8bec3709be6b.py [--threads N] [--json]`.

Benchmark 8bec3709be6b7c3655bd239e3697398123b5a04976d4cbd6957b61ad4eb1c949,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8bec3709be6b7c3655bd239e3697398123b5a04976d4cbd6957b61ad4eb1c949', SUITE, sys.argv[1:]))
