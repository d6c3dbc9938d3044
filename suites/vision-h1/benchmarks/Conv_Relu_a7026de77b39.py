"""Conv_Relu alone: `python Conv_Relu_a7026de77b39.py [--threads N] [--json]`.

Benchmark a7026de77b390d768aa53a0ad5378675bfa58eb2ffedc0a937804c9f7c89cc9e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a7026de77b390d768aa53a0ad5378675bfa58eb2ffedc0a937804c9f7c89cc9e', SUITE, sys.argv[1:]))
