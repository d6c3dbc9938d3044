"""Gather alone: `python Gather_565b11f69d9b.py [--threads N] [--json]`.

Benchmark 565b11f69d9b4c4dd5301d7e3b120cb7d6cf71633cae61201bbedbbf6274ee99,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('565b11f69d9b4c4dd5301d7e3b120cb7d6cf71633cae61201bbedbbf6274ee99', SUITE, sys.argv[1:]))
