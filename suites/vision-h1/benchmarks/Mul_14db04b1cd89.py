"""Mul alone: `python Mul_14db04b1cd89.py [--threads N] [--json]`.

Benchmark 14db04b1cd89df23a6fc178e509bebd641707b3016b50c8d520081b0cca55aa1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('14db04b1cd89df23a6fc178e509bebd641707b3016b50c8d520081b0cca55aa1', SUITE, sys.argv[1:]))
