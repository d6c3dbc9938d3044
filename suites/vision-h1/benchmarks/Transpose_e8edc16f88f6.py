"""Transpose alone: `python Transpose_e8edc16f88f6.py [--threads N] [--json]`.

Benchmark e8edc16f88f61aad8e4e2834a2619d4f3528dbe9adaff6148c5bc7a028e8403f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e8edc16f88f61aad8e4e2834a2619d4f3528dbe9adaff6148c5bc7a028e8403f', SUITE, sys.argv[1:]))
