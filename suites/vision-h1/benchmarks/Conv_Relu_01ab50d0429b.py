"""Conv_Relu alone: `python Conv_Relu_01ab50d0429b.py [--threads N] [--json]`.

Benchmark 01ab50d0429b0457336c1c414427c1ddf73ae316c48f75cf72a9ef6e19c0baa8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('01ab50d0429b0457336c1c414427c1ddf73ae316c48f75cf72a9ef6e19c0baa8', SUITE, sys.argv[1:]))
