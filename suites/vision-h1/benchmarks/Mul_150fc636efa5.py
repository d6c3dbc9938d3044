"""Mul alone: `python Mul_150fc636efa5.py [--threads N] [--json]`.

Benchmark 150fc636efa52fc7ab8ea12ea29215564e05c0780f8f6be92cbf36e444ecb093,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('150fc636efa52fc7ab8ea12ea29215564e05c0780f8f6be92cbf36e444ecb093', SUITE, sys.argv[1:]))
