"""Conv_Relu alone: `python Conv_Relu_204da83d30d4.py [--threads N] [--json]`.

Benchmark 204da83d30d4698241f3b682534d1d0dd717ee2b1fba10ee31142daf1476b73e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('204da83d30d4698241f3b682534d1d0dd717ee2b1fba10ee31142daf1476b73e', SUITE, sys.argv[1:]))
