"""Conv_Relu alone: `python Conv_Relu_f02181e6108e.py [--threads N] [--json]`.

Benchmark f02181e6108eff2957c6da545b27d0f10e69a4afe31683e8c52bb8221fcf0352,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f02181e6108eff2957c6da545b27d0f10e69a4afe31683e8c52bb8221fcf0352', SUITE, sys.argv[1:]))
