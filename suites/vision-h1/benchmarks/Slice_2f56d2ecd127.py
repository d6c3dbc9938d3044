"""Slice alone: `python Slice_2f56d2ecd127.py [--threads N] [--json]`.

Benchmark 2f56d2ecd127c19afac0cb65a5a99b19c8eb87cca1d92df4b654aeaab3f92f44,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f56d2ecd127c19afac0cb65a5a99b19c8eb87cca1d92df4b654aeaab3f92f44', SUITE, sys.argv[1:]))
