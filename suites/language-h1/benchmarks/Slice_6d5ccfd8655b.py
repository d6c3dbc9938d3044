"""Slice alone: `python Slice_6d5ccfd8655b.py [--threads N] [--json]`.

Benchmark 6d5ccfd8655bf385d900e9d55ec5bd8539df2fc1f05edb7a2ae13f341120ef98,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d5ccfd8655bf385d900e9d55ec5bd8539df2fc1f05edb7a2ae13f341120ef98', SUITE, sys.argv[1:]))
