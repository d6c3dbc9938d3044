"""Transpose alone: `python Transpose_07a65e0f2587.py [--threads N] [--json]`.

Benchmark 07a65e0f2587b66c36c67e03b58fcd6b7924b4dee5d04b2dec2108d3b8d2a5bd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('07a65e0f2587b66c36c67e03b58fcd6b7924b4dee5d04b2dec2108d3b8d2a5bd', SUITE, sys.argv[1:]))
