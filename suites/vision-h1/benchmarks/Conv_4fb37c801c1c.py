"""Conv alone: `python Conv_4fb37c801c1c.py [--threads N] [--json]`.

Benchmark 4fb37c801c1c3e01add5240c45bdb528e4d7f43e133d0caaf8dacd975ce41444,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4fb37c801c1c3e01add5240c45bdb528e4d7f43e133d0caaf8dacd975ce41444', SUITE, sys.argv[1:]))
