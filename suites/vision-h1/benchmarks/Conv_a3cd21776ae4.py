"""Conv alone: `python Conv_a3cd21776ae4.py [--threads N] [--json]`.

Benchmark a3cd21776ae417d4741fcbd71a2d52774dfb894b9ebc3f571335dc316d31a452,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3cd21776ae417d4741fcbd71a2d52774dfb894b9ebc3f571335dc316d31a452', SUITE, sys.argv[1:]))
