"""ReduceMean alone: `python ReduceMean_a40876a6fbb8.py [--threads N] [--json]`.

Benchmark a40876a6fbb81d7af65749769768998d84be214b928af123098bc83bbf419227,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a40876a6fbb81d7af65749769768998d84be214b928af123098bc83bbf419227', SUITE, sys.argv[1:]))
