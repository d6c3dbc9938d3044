"""Conv_Relu alone: `python Conv_Relu_9038d28fe5ce.py [--threads N] [--json]`.

Benchmark 9038d28fe5ce873d20c62d1bd2d84983f21922cb60442e6e57ac56fc41ad206b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9038d28fe5ce873d20c62d1bd2d84983f21922cb60442e6e57ac56fc41ad206b', SUITE, sys.argv[1:]))
