"""Softmax alone: `python Softmax_a52dbd2248a3.py [--threads N] [--json]`.

Benchmark a52dbd2248a389f303d65577dac21f80ecb1cc0fe9c7d7b44b5e72265062fad6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a52dbd2248a389f303d65577dac21f80ecb1cc0fe9c7d7b44b5e72265062fad6', SUITE, sys.argv[1:]))
