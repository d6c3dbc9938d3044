"""Mul alone: `python Mul_aed56e040ff3.py [--threads N] [--json]`.

Benchmark aed56e040ff32eb8f8508bf415b5f2adefc86921ae514f8bf92253f8ab7c3168,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aed56e040ff32eb8f8508bf415b5f2adefc86921ae514f8bf92253f8ab7c3168', SUITE, sys.argv[1:]))
