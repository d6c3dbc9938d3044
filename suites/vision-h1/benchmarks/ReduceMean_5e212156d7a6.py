"""ReduceMean alone: `python ReduceMean_5e212156d7a6.py [--threads N] [--json]`.

Benchmark 5e212156d7a69f73a6896a02ea9b320fe9fcbaa48e4611358dd7b606f19bd9b5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5e212156d7a69f73a6896a02ea9b320fe9fcbaa48e4611358dd7b606f19bd9b5', SUITE, sys.argv[1:]))
