"""ReduceMean alone: `python ReduceMean_8ea1b8327337.py [--threads N] [--json]`.

Benchmark 8ea1b8327337fe2fad068b1910b5e4e468ce8419e806b8b1473130b1f3bd044d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8ea1b8327337fe2fad068b1910b5e4e468ce8419e806b8b1473130b1f3bd044d', SUITE, sys.argv[1:]))
