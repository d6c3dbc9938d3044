"""Slice alone: `python Slice_907a06941bf8.py [--threads N] [--json]`.

Benchmark 907a06941bf842f928134cadb49bf2ffe20f59dc2cf9e2f5160c2f7300f2184d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('907a06941bf842f928134cadb49bf2ffe20f59dc2cf9e2f5160c2f7300f2184d', SUITE, sys.argv[1:]))
