"""Gather alone: `python Gather_b65cf9fbd660.py [--threads N] [--json]`.

Benchmark b65cf9fbd6601c9e860c58f4dc247621b7aa2edb3d13c5164136a79c9256f796,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b65cf9fbd6601c9e860c58f4dc247621b7aa2edb3d13c5164136a79c9256f796', SUITE, sys.argv[1:]))
