"""Transpose alone: `python Transpose_96096e263d79.py [--threads N] [--json]`.

Benchmark 96096e263d79d7eae5c9b90895f29ddfafbd79d29c03da935067a0f7397932ec,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('96096e263d79d7eae5c9b90895f29ddfafbd79d29c03da935067a0f7397932ec', SUITE, sys.argv[1:]))
