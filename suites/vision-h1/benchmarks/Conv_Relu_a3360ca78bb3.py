"""Conv_Relu alone: `python Conv_Relu_a3360ca78bb3.py [--threads N] [--json]`.

Benchmark a3360ca78bb3ebc5b2750710fb8360e952f178664bbf3bc8a6ebb07b91a3ba30,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3360ca78bb3ebc5b2750710fb8360e952f178664bbf3bc8a6ebb07b91a3ba30', SUITE, sys.argv[1:]))
