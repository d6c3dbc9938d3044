"""Mul alone: `python Mul_89f99a0fdda0.py [--threads N] [--json]`.

Benchmark 89f99a0fdda0d241ca5188febd064443fd2c3538074926d0103570e92cdc946f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('89f99a0fdda0d241ca5188febd064443fd2c3538074926d0103570e92cdc946f', SUITE, sys.argv[1:]))
