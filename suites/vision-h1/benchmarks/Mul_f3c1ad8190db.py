"""Mul alone: `python Mul_f3c1ad8190db.py [--threads N] [--json]`.

Benchmark f3c1ad8190db1efde952891380a36d3c322bb8046d4bf000d9c9ecd67cb7367d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f3c1ad8190db1efde952891380a36d3c322bb8046d4bf000d9c9ecd67cb7367d', SUITE, sys.argv[1:]))
