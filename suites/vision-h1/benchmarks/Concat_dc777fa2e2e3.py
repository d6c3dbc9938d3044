"""Concat alone: `python Concat_dc777fa2e2e3.py [--threads N] [--json]`.

Benchmark dc777fa2e2e38004f8159b1466b94006fc65e60dfb19d024e5ca0c90b3302359,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dc777fa2e2e38004f8159b1466b94006fc65e60dfb19d024e5ca0c90b3302359', SUITE, sys.argv[1:]))
