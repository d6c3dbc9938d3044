"""Transpose alone: `python Transpose_5e36b58edb0b.py [--threads N] [--json]`.

Benchmark 5e36b58edb0bcfb93c8a525198b7d00d7b1901435c8f8340c12a7c02081ceb96,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5e36b58edb0bcfb93c8a525198b7d00d7b1901435c8f8340c12a7c02081ceb96', SUITE, sys.argv[1:]))
