"""Conv alone: `python Conv_e70823d5c4da.py [--threads N] [--json]`.

Benchmark e70823d5c4da6dd1735eb7b053596ade1f3b82f6db88c939f119e76bb0caab8e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e70823d5c4da6dd1735eb7b053596ade1f3b82f6db88c939f119e76bb0caab8e', SUITE, sys.argv[1:]))
