"""Transpose alone: `python Transpose_8a7577ae9704.py [--threads N] [--json]`.

Benchmark 8a7577ae97047b88a06820a34a0a1944c8afe143d08a2ff1a7f45a80f7f1de66,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8a7577ae97047b88a06820a34a0a1944c8afe143d08a2ff1a7f45a80f7f1de66', SUITE, sys.argv[1:]))
