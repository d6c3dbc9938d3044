"""Conv alone: `python Conv_279140eb0d0c.py [--threads N] [--json]`.

Benchmark 279140eb0d0ceafec83323e58fc13f4ff9fe71c817030b9ad4a0348864fd2813,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('279140eb0d0ceafec83323e58fc13f4ff9fe71c817030b9ad4a0348864fd2813', SUITE, sys.argv[1:]))
