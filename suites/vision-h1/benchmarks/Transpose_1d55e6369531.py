"""Transpose alone: `python Transpose_1d55e6369531.py [--threads N] [--json]`.

Benchmark 1d55e6369531665f7e7303c1d175ed123822f49a4e24c9c5eb71f2983a113d9d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1d55e6369531665f7e7303c1d175ed123822f49a4e24c9c5eb71f2983a113d9d', SUITE, sys.argv[1:]))
