"""Concat alone: `python Concat_0b1ce85c6f5b.py [--threads N] [--json]`.

Benchmark 0b1ce85c6f5bbbe61a6becb1e2b006f4ab9db7b4a5326b49ed3b77098bed79e5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0b1ce85c6f5bbbe61a6becb1e2b006f4ab9db7b4a5326b49ed3b77098bed79e5', SUITE, sys.argv[1:]))
