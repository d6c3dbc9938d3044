"""Concat alone: `python Concat_3f91a72e7b70.py [--threads N] [--json]`.

Benchmark 3f91a72e7b702ab2d4d490293284c6360c4561b86f4064a48337757dd2bd6899,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3f91a72e7b702ab2d4d490293284c6360c4561b86f4064a48337757dd2bd6899', SUITE, sys.argv[1:]))
