"""Mul alone: `python Mul_fa170781aae6.py [--threads N] [--json]`.

Benchmark fa170781aae6d0be51539d78ac7aae2f9b8495311db2743caea7ba704dd30049,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa170781aae6d0be51539d78ac7aae2f9b8495311db2743caea7ba704dd30049', SUITE, sys.argv[1:]))
