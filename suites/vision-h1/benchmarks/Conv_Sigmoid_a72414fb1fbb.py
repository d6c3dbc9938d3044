"""Conv_Sigmoid alone: `python Conv_Sigmoid_a72414fb1fbb.py [--threads N] [--json]`.

Benchmark a72414fb1fbb3b5cb8310bad647e3f5a8cb9d8767d7c4cdd061f763ed1b6e9f5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a72414fb1fbb3b5cb8310bad647e3f5a8cb9d8767d7c4cdd061f763ed1b6e9f5', SUITE, sys.argv[1:]))
