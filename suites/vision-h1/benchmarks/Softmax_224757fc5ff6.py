"""Softmax alone: `python Softmax_224757fc5ff6.py [--threads N] [--json]`.

Benchmark 224757fc5ff6791e35fd4c73ff3436d0d495651343d6bf19cd6d0df8bd297ed5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('224757fc5ff6791e35fd4c73ff3436d0d495651343d6bf19cd6d0df8bd297ed5', SUITE, sys.argv[1:]))
