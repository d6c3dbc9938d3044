"""ReduceMean alone: `python ReduceMean_d4ca03c41c69.py [--threads N] [--json]`.

Benchmark d4ca03c41c697ff5b6dd12263123d59b2871372ae25bb2d438f5e6e3b96657af,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d4ca03c41c697ff5b6dd12263123d59b2871372ae25bb2d438f5e6e3b96657af', SUITE, sys.argv[1:]))
