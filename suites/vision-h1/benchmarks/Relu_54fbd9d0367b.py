"""Relu alone: `python Relu_54fbd9d0367b.py [--threads N] [--json]`.

Benchmark 54fbd9d0367b8460917a6d94452e690d8833f70e4cc395d87c3e46205a9af7a7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('54fbd9d0367b8460917a6d94452e690d8833f70e4cc395d87c3e46205a9af7a7', SUITE, sys.argv[1:]))
