"""Transpose alone: `python Transpose_428d9ffb30c5.py [--threads N] [--json]`.

Benchmark 428d9ffb30c5e199ef67b1919ab0234437c83c5c5d8cfd2eed73996bd8f6fad7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('428d9ffb30c5e199ef67b1919ab0234437c83c5c5d8cfd2eed73996bd8f6fad7', SUITE, sys.argv[1:]))
