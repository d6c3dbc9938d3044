"""Transpose alone: `python Transpose_7824557e9617.py [--threads N] [--json]`.

Benchmark 7824557e9617ea4b4c9f4f7f0fd4267f229c3b986fcf13674bbd4499e0aea051,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7824557e9617ea4b4c9f4f7f0fd4267f229c3b986fcf13674bbd4499e0aea051', SUITE, sys.argv[1:]))
