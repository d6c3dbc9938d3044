"""Conv alone: `python Conv_81680107dfc1.py [--threads N] [--json]`.

Benchmark 81680107dfc1216ea07ded21c9c1137c143ec44dea0af469a3cb8b764ce4b122,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('81680107dfc1216ea07ded21c9c1137c143ec44dea0af469a3cb8b764ce4b122', SUITE, sys.argv[1:]))
