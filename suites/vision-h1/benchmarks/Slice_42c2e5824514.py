"""Slice alone: `python Slice_42c2e5824514.py [--threads N] [--json]`.

Benchmark 42c2e58245143d70373bb5fba60642d1c39395dbf58d1737ae73b743b361ec3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('42c2e58245143d70373bb5fba60642d1c39395dbf58d1737ae73b743b361ec3c', SUITE, sys.argv[1:]))
