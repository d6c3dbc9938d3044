"""Gather alone: `python Gather_4c27c44c775e.py [--threads N] [--json]`.

Benchmark 4c27c44c775e21e0210996c951d859ee7ba4e407169b97aa4e4eb658e955edbb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4c27c44c775e21e0210996c951d859ee7ba4e407169b97aa4e4eb658e955edbb', SUITE, sys.argv[1:]))
