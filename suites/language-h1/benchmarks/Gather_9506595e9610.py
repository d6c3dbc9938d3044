"""Gather alone: `python Gather_9506595e9610.py [--threads N] [--json]`.

Benchmark 9506595e9610104c6e0733b9c6b057d4ae23bc3c7e1d983b7ed322cfe69d2900,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9506595e9610104c6e0733b9c6b057d4ae23bc3c7e1d983b7ed322cfe69d2900', SUITE, sys.argv[1:]))
