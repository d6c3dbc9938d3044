"""Add alone: `python Add_a452b0c55226.py [--threads N] [--json]`.

Benchmark a452b0c5522693887a8d7d936f2d7e37d5dfc4573fd93d719d03223b6f522870,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a452b0c5522693887a8d7d936f2d7e37d5dfc4573fd93d719d03223b6f522870', SUITE, sys.argv[1:]))
