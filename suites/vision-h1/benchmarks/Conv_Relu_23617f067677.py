"""Conv_Relu alone: `python Conv_Relu_23617f067677.py [--threads N] [--json]`.

Benchmark 23617f067677d6fafd498f0994b6d19acbee50a4d3fae89da6f1158ba2579e63,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('23617f067677d6fafd498f0994b6d19acbee50a4d3fae89da6f1158ba2579e63', SUITE, sys.argv[1:]))
