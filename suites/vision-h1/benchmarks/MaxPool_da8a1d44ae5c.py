"""MaxPool alone: `python MaxPool_da8a1d44ae5c.py [--threads N] [--json]`.

Benchmark da8a1d44ae5cd7683820867ff4c547c6b0af8a3762c1da68499451a88618d0ba,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('da8a1d44ae5cd7683820867ff4c547c6b0af8a3762c1da68499451a88618d0ba', SUITE, sys.argv[1:]))
