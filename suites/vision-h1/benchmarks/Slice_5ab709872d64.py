"""Slice alone: `python Slice_5ab709872d64.py [--threads N] [--json]`.

Benchmark 5ab709872d643aff35d827f449ac9d730dbc5f185730d3c57f9271c3f041c90e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5ab709872d643aff35d827f449ac9d730dbc5f185730d3c57f9271c3f041c90e', SUITE, sys.argv[1:]))
