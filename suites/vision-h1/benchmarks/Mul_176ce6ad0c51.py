"""Mul alone: `python Mul_176ce6ad0c51.py [--threads N] [--json]`.

Benchmark 176ce6ad0c51c9d097c6fe02d87a7335623d76562bf5ba1a9e07fc19a109eb56,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('176ce6ad0c51c9d097c6fe02d87a7335623d76562bf5ba1a9e07fc19a109eb56', SUITE, sys.argv[1:]))
