"""Slice alone: `python Slice_4723b73dfa23.py [--threads N] [--json]`.

Benchmark 4723b73dfa2311d5029c2f74ebd0f057f3f1ce2a2ee2d1aafdeb223afa2faed6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4723b73dfa2311d5029c2f74ebd0f057f3f1ce2a2ee2d1aafdeb223afa2faed6', SUITE, sys.argv[1:]))
