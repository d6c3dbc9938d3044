"""Conv alone: `python Conv_46774d902cbe.py [--threads N] [--json]`.

Benchmark 46774d902cbe4344a929bdb2e29e18915c629a829960919236a33a234a196326,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('46774d902cbe4344a929bdb2e29e18915c629a829960919236a33a234a196326', SUITE, sys.argv[1:]))
