"""Conv_Relu alone: `python Conv_Relu_a714f09f2a1a.py [--threads N] [--json]`.

Benchmark a714f09f2a1a1680b68072d1f994839c7ff1ad2167131e8ab90e4dd0e22fa716,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a714f09f2a1a1680b68072d1f994839c7ff1ad2167131e8ab90e4dd0e22fa716', SUITE, sys.argv[1:]))
