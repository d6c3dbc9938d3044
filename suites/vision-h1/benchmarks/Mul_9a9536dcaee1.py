"""Mul alone: `python Mul_9a9536dcaee1.py [--threads N] [--json]`.

Benchmark 9a9536dcaee1baf8213fafd34e7f03df9bfddffe998448869b076c7946a84e18,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9a9536dcaee1baf8213fafd34e7f03df9bfddffe998448869b076c7946a84e18', SUITE, sys.argv[1:]))
