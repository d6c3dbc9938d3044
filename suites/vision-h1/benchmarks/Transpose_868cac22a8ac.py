"""Transpose alone: `python Transpose_868cac22a8ac.py [--threads N] [--json]`.

Benchmark 868cac22a8ac2f92b21f454ed50c9584c067003c8d32ef953fc98c463b1c73b2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('868cac22a8ac2f92b21f454ed50c9584c067003c8d32ef953fc98c463b1c73b2', SUITE, sys.argv[1:]))
