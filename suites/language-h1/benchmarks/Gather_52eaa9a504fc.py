"""Gather alone: `python Gather_52eaa9a504fc.py [--threads N] [--json]`.

Benchmark 52eaa9a504fc3ca82c0b15c95f3359a84655fe7a22c03f165374984868f441d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('52eaa9a504fc3ca82c0b15c95f3359a84655fe7a22c03f165374984868f441d1', SUITE, sys.argv[1:]))
