"""Transpose alone: `python Transpose_9affd9c982fd.py [--threads N] [--json]`.

Benchmark 9affd9c982fda321e2a84ad6bfba7e883b6e045749a74a34d258111a4a9fa8d6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9affd9c982fda321e2a84ad6bfba7e883b6e045749a74a34d258111a4a9fa8d6', SUITE, sys.argv[1:]))
