"""Conv_Relu alone: `python Conv_Relu_27affd37293c.py [--threads N] [--json]`.

Benchmark 27affd37293c0bb4b693f9c52f0c53d84874c8738f7585884fd2b76d96dd36c6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('27affd37293c0bb4b693f9c52f0c53d84874c8738f7585884fd2b76d96dd36c6', SUITE, sys.argv[1:]))
