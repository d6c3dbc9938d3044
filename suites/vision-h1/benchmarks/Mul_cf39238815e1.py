"""Mul alone: `python Mul_cf39238815e1.py [--threads N] [--json]`.

Benchmark cf39238815e1c98d940be458a8bbbf64080e282eeb6e7e54f21e7dffe4fc2d9c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cf39238815e1c98d940be458a8bbbf64080e282eeb6e7e54f21e7dffe4fc2d9c', SUITE, sys.argv[1:]))
