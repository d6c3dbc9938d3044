"""Conv alone: `python Conv_6a93cd2f0822.py [--threads N] [--json]`.

Benchmark 6a93cd2f08223bfe5997af36e7faabc85d19d06ed8b456bb2b1b1577e6b39e49,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6a93cd2f08223bfe5997af36e7faabc85d19d06ed8b456bb2b1b1577e6b39e49', SUITE, sys.argv[1:]))
