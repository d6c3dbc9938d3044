"""Add alone: `python Add_b45ab7ecfaba.py [--threads N] [--json]`.

Benchmark b45ab7ecfaba650a1522d3544b8909cd3fdb42c5135d5cbd578238aee18c1fc8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b45ab7ecfaba650a1522d3544b8909cd3fdb42c5135d5cbd578238aee18c1fc8', SUITE, sys.argv[1:]))
