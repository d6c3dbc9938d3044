"""Split alone: `python Split_4fc9d68136f7.py [--threads N] [--json]`.

Benchmark 4fc9d68136f7834f1d8275e76aea01dc90d278c691fb25e2209a5d55c8c833a6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4fc9d68136f7834f1d8275e76aea01dc90d278c691fb25e2209a5d55c8c833a6', SUITE, sys.argv[1:]))
