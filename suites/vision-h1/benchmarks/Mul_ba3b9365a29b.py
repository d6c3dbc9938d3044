"""Mul alone: `python Mul_ba3b9365a29b.py [--threads N] [--json]`.

Benchmark ba3b9365a29bc597869a222bd727d2d63bcb0fdea65c0bc9ea2ffa04284d1a5e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ba3b9365a29bc597869a222bd727d2d63bcb0fdea65c0bc9ea2ffa04284d1a5e', SUITE, sys.argv[1:]))
