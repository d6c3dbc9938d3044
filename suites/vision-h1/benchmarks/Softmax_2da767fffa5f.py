"""Softmax alone: `python Softmax_2da767fffa5f.py [--threads N] [--json]`.

Benchmark 2da767fffa5f7015340a1dd89bbfc0d02fe2cffb02cb4ab5388f11d9825c22a3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2da767fffa5f7015340a1dd89bbfc0d02fe2cffb02cb4ab5388f11d9825c22a3', SUITE, sys.argv[1:]))
