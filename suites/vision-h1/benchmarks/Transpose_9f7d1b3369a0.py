"""Transpose alone: `python Transpose_9f7d1b3369a0.py [--threads N] [--json]`.

Benchmark 9f7d1b3369a016f98dd9dab24242a7bca613fdcac51281e513b53da544821643,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9f7d1b3369a016f98dd9dab24242a7bca613fdcac51281e513b53da544821643', SUITE, sys.argv[1:]))
