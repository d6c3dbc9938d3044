"""Slice alone: `python Slice_15628857d182.py [--threads N] [--json]`.

Benchmark 15628857d182aa14612c496f62bdc6272c7b51fc60087b9965998c2bf8fcaa87,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('15628857d182aa14612c496f62bdc6272c7b51fc60087b9965998c2bf8fcaa87', SUITE, sys.argv[1:]))
