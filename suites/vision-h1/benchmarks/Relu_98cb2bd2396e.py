"""Relu alone: `python Relu_98cb2bd2396e.py [--threads N] [--json]`.

Benchmark 98cb2bd2396e7ca33fa92972ebdee9cd0af2845d0b8462495219eb58b3646c25,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('98cb2bd2396e7ca33fa92972ebdee9cd0af2845d0b8462495219eb58b3646c25', SUITE, sys.argv[1:]))
