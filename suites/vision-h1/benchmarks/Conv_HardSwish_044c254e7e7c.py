"""Conv_HardSwish alone: `python Conv_HardSwish_044c254e7e7c.py [--threads N] [--json]`.

Benchmark 044c254e7e7cfe195b3ed817deb24cf2976b8568e17fd75d5b4e73d5724caeb3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('044c254e7e7cfe195b3ed817deb24cf2976b8568e17fd75d5b4e73d5724caeb3', SUITE, sys.argv[1:]))
