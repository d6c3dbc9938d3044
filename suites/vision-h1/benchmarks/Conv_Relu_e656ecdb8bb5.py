"""Conv_Relu alone: `python Conv_Relu_e656ecdb8bb5.py [--threads N] [--json]`.

Benchmark e656ecdb8bb5154892f34e97f74c13c552ddc39a3b2f5873ab841963221bd29d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e656ecdb8bb5154892f34e97f74c13c552ddc39a3b2f5873ab841963221bd29d', SUITE, sys.argv[1:]))
