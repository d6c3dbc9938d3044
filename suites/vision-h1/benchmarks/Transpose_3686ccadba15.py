"""Transpose alone: `python Transpose_3686ccadba15.py [--threads N] [--json]`.

Benchmark 3686ccadba15687c1796486b018f3c14bcea5e85afaeea40aff5e929474ede4d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3686ccadba15687c1796486b018f3c14bcea5e85afaeea40aff5e929474ede4d', SUITE, sys.argv[1:]))
