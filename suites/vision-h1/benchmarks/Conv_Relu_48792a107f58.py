"""Conv_Relu alone: `python Conv_Relu_48792a107f58.py [--threads N] [--json]`.

Benchmark 48792a107f582611fc64c25d4723c7dae5d540003ea064314fb916cf9e67f2a4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('48792a107f582611fc64c25d4723c7dae5d540003ea064314fb916cf9e67f2a4', SUITE, sys.argv[1:]))
