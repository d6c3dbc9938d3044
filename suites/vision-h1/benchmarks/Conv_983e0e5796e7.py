"""Conv alone: `python Conv_983e0e5796e7.py [--threads N] [--json]`.

Benchmark 983e0e5796e703c0e463e03f7e2c98cfae7ee1dd1cfa0a1e174d9519f2169736,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('983e0e5796e703c0e463e03f7e2c98cfae7ee1dd1cfa0a1e174d9519f2169736', SUITE, sys.argv[1:]))
