"""Split alone: `python Split_db430f551356.py [--threads N] [--json]`.

Benchmark db430f551356e80341c227ed1b2b96bccee4ec6a258b00980d86c15599375d7b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('db430f551356e80341c227ed1b2b96bccee4ec6a258b00980d86c15599375d7b', SUITE, sys.argv[1:]))
