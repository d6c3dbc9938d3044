"""Conv_Relu alone: `python Conv_Relu_07be9e090aa2.py [--threads N] [--json]`.

Benchmark 07be9e090aa2513899514fa5a7a54346b29230d1da6f62d7d9df9d809de4f139,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('07be9e090aa2513899514fa5a7a54346b29230d1da6f62d7d9df9d809de4f139', SUITE, sys.argv[1:]))
