"""Conv alone: `python Conv_719b3f493f40.py [--threads N] [--json]`.

Benchmark 719b3f493f4040cb5b3c680fa09afb44b77311c8ae4b51965c834a9acc6883e1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('719b3f493f4040cb5b3c680fa09afb44b77311c8ae4b51965c834a9acc6883e1', SUITE, sys.argv[1:]))
