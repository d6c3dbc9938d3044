"""Relu alone: `python Relu_9b7fdb351476.py [--threads N] [--json]`.

Benchmark 9b7fdb351476ed180043f96d64c3d61fae11a561202354d4b66affab8a0ccafd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b7fdb351476ed180043f96d64c3d61fae11a561202354d4b66affab8a0ccafd', SUITE, sys.argv[1:]))
