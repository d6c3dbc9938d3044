"""Transpose alone: `python Transpose_aa5ffc4cde64.py [--threads N] [--json]`.

Benchmark aa5ffc4cde64cfcd71b878990c894c94d8f8dd615e8fbe17ed9bce19f18f16dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aa5ffc4cde64cfcd71b878990c894c94d8f8dd615e8fbe17ed9bce19f18f16dc', SUITE, sys.argv[1:]))
