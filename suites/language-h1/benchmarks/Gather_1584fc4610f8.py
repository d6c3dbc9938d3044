"""Gather alone: `python Gather_1584fc4610f8.py [--threads N] [--json]`.

Benchmark 1584fc4610f8ce9afcef34e4e504b097fe25d5342fba9c0f218dc51b027eec1c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1584fc4610f8ce9afcef34e4e504b097fe25d5342fba9c0f218dc51b027eec1c', SUITE, sys.argv[1:]))
