"""Conv_Clip alone: `python Conv_Clip_7e2453b1d534.py [--threads N] [--json]`.

Benchmark 7e2453b1d53446b2a295666244c419cc31debe0ccc3df8706c44b0ea50602fe9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7e2453b1d53446b2a295666244c419cc31debe0ccc3df8706c44b0ea50602fe9', SUITE, sys.argv[1:]))
