"""Concat alone: `python Concat_442a0298b941.py [--threads N] [--json]`.

Benchmark 442a0298b941f3c26f2222f90434a6ee8ce3b9bf257cf78fef65df2bf95ab00a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('442a0298b941f3c26f2222f90434a6ee8ce3b9bf257cf78fef65df2bf95ab00a', SUITE, sys.argv[1:]))
