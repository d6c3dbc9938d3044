"""Gather alone: `python Gather_6934a74e891b.py [--threads N] [--json]`.

Benchmark 6934a74e891b4c7feda8fc64c77f7105b139816683e6b35dd3d313d677dfab0e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6934a74e891b4c7feda8fc64c77f7105b139816683e6b35dd3d313d677dfab0e', SUITE, sys.argv[1:]))
