"""Concat alone: `python Concat_2b3e55054604.py [--threads N] [--json]`.

Benchmark 2b3e55054604ebeea5982307430d4d96ffa1aec3bf38cf0f353ac6ca71020068,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2b3e55054604ebeea5982307430d4d96ffa1aec3bf38cf0f353ac6ca71020068', SUITE, sys.argv[1:]))
