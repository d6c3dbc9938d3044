"""Conv_Relu alone: `python Conv_Relu_1df3399023bf.py [--threads N] [--json]`.

Benchmark 1df3399023bf3d83d1f7d6b957acf07606f111fff7ce8d15e998f8e2ab4bdcd0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1df3399023bf3d83d1f7d6b957acf07606f111fff7ce8d15e998f8e2ab4bdcd0', SUITE, sys.argv[1:]))
