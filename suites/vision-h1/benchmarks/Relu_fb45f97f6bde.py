"""Relu alone: `python Relu_fb45f97f6bde.py [--threads N] [--json]`.

Benchmark fb45f97f6bde86e3c26b4cf66089056d2d076b73aafdf5d4bc8863065285a584,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fb45f97f6bde86e3c26b4cf66089056d2d076b73aafdf5d4bc8863065285a584', SUITE, sys.argv[1:]))
