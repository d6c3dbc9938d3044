"""Relu alone: `python Relu_90d569e29a10.py [--threads N] [--json]`.

Benchmark 90d569e29a10d33a4a8f0f432b2974590d68e62c09c07d80a128a9cdb3069414,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('90d569e29a10d33a4a8f0f432b2974590d68e62c09c07d80a128a9cdb3069414', SUITE, sys.argv[1:]))
