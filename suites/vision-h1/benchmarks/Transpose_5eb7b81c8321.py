"""Transpose alone: `python Transpose_5eb7b81c8321.py [--threads N] [--json]`.

Benchmark 5eb7b81c8321d5f3f054e23b7ddf473b9315cc6adbb9d9650291a2d0b301ba8a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5eb7b81c8321d5f3f054e23b7ddf473b9315cc6adbb9d9650291a2d0b301ba8a', SUITE, sys.argv[1:]))
