"""Transpose alone: `python Transpose_10fedb5e7064.py [--threads N] [--json]`.

Benchmark 10fedb5e706438e1419785aa14d45f36a8a0ef5e424880c1c679b2051d03c28b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('10fedb5e706438e1419785aa14d45f36a8a0ef5e424880c1c679b2051d03c28b', SUITE, sys.argv[1:]))
