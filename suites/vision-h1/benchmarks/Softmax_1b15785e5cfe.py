"""Softmax alone: `python Softmax_1b15785e5cfe.py [--threads N] [--json]`.

Benchmark 1b15785e5cfe4db96a82d663e73f8c3492ebe7f427756a7536fabe69f4224f4a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1b15785e5cfe4db96a82d663e73f8c3492ebe7f427756a7536fabe69f4224f4a', SUITE, sys.argv[1:]))
