"""Conv_Relu alone: `python Conv_Relu_c48db343c203.py [--threads N] [--json]`.

Benchmark c48db343c20375737020480f32e61735316400838b0b9d0b8e2ccd11299ec05c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c48db343c20375737020480f32e61735316400838b0b9d0b8e2ccd11299ec05c', SUITE, sys.argv[1:]))
