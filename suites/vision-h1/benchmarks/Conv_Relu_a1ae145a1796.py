"""Conv_Relu alone: `python Conv_Relu_a1ae145a1796.py [--threads N] [--json]`.

Benchmark a1ae145a1796fb2819b291ac2facee663dd31fb0d3eef6dd9763609d08edf0c4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a1ae145a1796fb2819b291ac2facee663dd31fb0d3eef6dd9763609d08edf0c4', SUITE, sys.argv[1:]))
