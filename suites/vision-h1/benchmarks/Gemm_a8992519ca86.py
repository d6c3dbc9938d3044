"""Gemm alone: `python Gemm_a8992519ca86.py [--threads N] [--json]`.

Benchmark a8992519ca86efebec4e5a83c92279722196da0ca667013c83221642787cf3d3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a8992519ca86efebec4e5a83c92279722196da0ca667013c83221642787cf3d3', SUITE, sys.argv[1:]))
