"""Softmax alone: `python Softmax_bb186c9a0cbd.py [--threads N] [--json]`.

Benchmark bb186c9a0cbd404baba9190f3793a844924c6fcd2ce99fd4c17ec4122e5dfdd9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bb186c9a0cbd404baba9190f3793a844924c6fcd2ce99fd4c17ec4122e5dfdd9', SUITE, sys.argv[1:]))
