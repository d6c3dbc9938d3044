"""Mul alone: `python Mul_9ef84b29ecc1.py [--threads N] [--json]`.

Benchmark 9ef84b29ecc185f9a4727997245f73fb97d8c002309e15c2d8cf755d064961b7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9ef84b29ecc185f9a4727997245f73fb97d8c002309e15c2d8cf755d064961b7', SUITE, sys.argv[1:]))
