"""Gather alone: `python Gather_6964e9db50cd.py [--threads N] [--json]`.

Benchmark 6964e9db50cd15ff7d954bfbd1da40033c5f4dd5ff217ebb56f803b8b3d1d172,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6964e9db50cd15ff7d954bfbd1da40033c5f4dd5ff217ebb56f803b8b3d1d172', SUITE, sys.argv[1:]))
