"""AveragePool alone: `python AveragePool_a5c735838056.py [--threads N] [--json]`.

Benchmark a5c735838056d2fb08697b70f86d2947d1d4575ac31e3d01bc17f021d369591d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a5c735838056d2fb08697b70f86d2947d1d4575ac31e3d01bc17f021d369591d', SUITE, sys.argv[1:]))
