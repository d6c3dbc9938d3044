"""Mul alone: `python Mul_9c7728f78365.py [--threads N] [--json]`.

Benchmark 9c7728f78365e5e7d4612742b93e223e2ca4371a4c4b2dedf57d6c3e3f1af357,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c7728f78365e5e7d4612742b93e223e2ca4371a4c4b2dedf57d6c3e3f1af357', SUITE, sys.argv[1:]))
