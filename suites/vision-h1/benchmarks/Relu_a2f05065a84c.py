"""Relu alone: `python Relu_a2f05065a84c.py [--threads N] [--json]`.

Benchmark a2f05065a84c7283c78b7c7d8211872bb6ecc1a89c52c344364a4a6294e1c2b0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a2f05065a84c7283c78b7c7d8211872bb6ecc1a89c52c344364a4a6294e1c2b0', SUITE, sys.argv[1:]))
