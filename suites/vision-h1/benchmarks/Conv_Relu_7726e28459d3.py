"""Conv_Relu alone: `python Conv_Relu_7726e28459d3.py [--threads N] [--json]`.

Benchmark 7726e28459d36f3db2c0971fb8bdcf4b70dcc29e6259b71b522bef0b28b9c95e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7726e28459d36f3db2c0971fb8bdcf4b70dcc29e6259b71b522bef0b28b9c95e', SUITE, sys.argv[1:]))
