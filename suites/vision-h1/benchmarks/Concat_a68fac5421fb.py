"""Concat alone: `python Concat_a68fac5421fb.py [--threads N] [--json]`.

Benchmark a68fac5421fb848cd133265605669139544c0d3a0c180f6c145c6fe042666e53,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a68fac5421fb848cd133265605669139544c0d3a0c180f6c145c6fe042666e53', SUITE, sys.argv[1:]))
