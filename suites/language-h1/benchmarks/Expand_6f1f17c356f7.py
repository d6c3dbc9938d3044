"""Expand alone: `python Expand_6f1f17c356f7.py [--threads N] [--json]`.

Benchmark 6f1f17c356f784b06ceca1dfb80aa6b83dce27a06579316d8c756a7a801801d0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6f1f17c356f784b06ceca1dfb80aa6b83dce27a06579316d8c756a7a801801d0', SUITE, sys.argv[1:]))
