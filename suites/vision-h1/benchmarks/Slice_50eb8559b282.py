"""Slice alone: `python Slice_50eb8559b282.py [--threads N] [--json]`.

Benchmark 50eb8559b282feb1233fbc1aad5455a82cad29c533efd13fcb7d0649df902dd2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('50eb8559b282feb1233fbc1aad5455a82cad29c533efd13fcb7d0649df902dd2', SUITE, sys.argv[1:]))
