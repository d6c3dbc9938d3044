"""Mul alone: `python Mul_dab4472a4db5.py [--threads N] [--json]`.

Benchmark dab4472a4db53dc55f854ba144069a8224833da4188a52f9fe3b5af1ff2cc56b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dab4472a4db53dc55f854ba144069a8224833da4188a52f9fe3b5af1ff2cc56b', SUITE, sys.argv[1:]))
