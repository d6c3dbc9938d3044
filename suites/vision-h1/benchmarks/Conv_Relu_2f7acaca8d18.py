"""Conv_Relu alone: `python Conv_Relu_2f7acaca8d18.py [--threads N] [--json]`.

Benchmark 2f7acaca8d18be54141875a9585ac708af972d0ee4ec8122e14da32924e3ad4c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f7acaca8d18be54141875a9585ac708af972d0ee4ec8122e14da32924e3ad4c', SUITE, sys.argv[1:]))
