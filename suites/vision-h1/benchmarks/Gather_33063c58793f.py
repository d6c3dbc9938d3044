"""Gather alone: `python Gather_33063c58793f.py [--threads N] [--json]`.

Benchmark 33063c58793fa50550dd8761b467214d1e8af7873362bfc8c95544496c6905cc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('33063c58793fa50550dd8761b467214d1e8af7873362bfc8c95544496c6905cc', SUITE, sys.argv[1:]))
