"""Conv_Relu alone: `python Conv_Relu_b5a100c58cd6.py [--threads N] [--json]`.

Benchmark b5a100c58cd6c472f114ae6baefc7760647d387020b63f55807927a30a620ecb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5a100c58cd6c472f114ae6baefc7760647d387020b63f55807927a30a620ecb', SUITE, sys.argv[1:]))
