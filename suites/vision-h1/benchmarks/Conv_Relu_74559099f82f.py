"""Conv_Relu alone: `python Conv_Relu_74559099f82f.py [--threads N] [--json]`.

Benchmark 74559099f82f37bf21c89be3ceae3c78b8ba76cd59f82656e8026e411e6e121a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('74559099f82f37bf21c89be3ceae3c78b8ba76cd59f82656e8026e411e6e121a', SUITE, sys.argv[1:]))
