"""Concat alone: `python Concat_01ea5276b7e5.py [--threads N] [--json]`.

Benchmark 01ea5276b7e5d90fa380cb884e8b1aa22d38eb6325a6d752efeb916e08e1c8be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('01ea5276b7e5d90fa380cb884e8b1aa22d38eb6325a6d752efeb916e08e1c8be', SUITE, sys.argv[1:]))
