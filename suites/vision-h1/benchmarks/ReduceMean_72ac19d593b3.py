"""ReduceMean alone: `python ReduceMean_72ac19d593b3.py [--threads N] [--json]`.

Benchmark 72ac19d593b39e9e6fe5614fb63d7d810003516931aac3678ad07f7cdae3bd7e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('72ac19d593b39e9e6fe5614fb63d7d810003516931aac3678ad07f7cdae3bd7e', SUITE, sys.argv[1:]))
