"""Transpose alone: `python Transpose_db2e5311527c.py [--threads N] [--json]`.

Benchmark db2e5311527cc1baf7b097bfd0c550d477ae5cfdbd2ef0564086dc52c0850ec3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('db2e5311527cc1baf7b097bfd0c550d477ae5cfdbd2ef0564086dc52c0850ec3', SUITE, sys.argv[1:]))
