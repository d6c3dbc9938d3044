"""Concat alone: `python Concat_a13d087adea2.py [--threads N] [--json]`.

Benchmark a13d087adea26ad664db3be44a07d111d56a9b42e7a61b762aa2f7e2f91e9ab1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a13d087adea26ad664db3be44a07d111d56a9b42e7a61b762aa2f7e2f91e9ab1', SUITE, sys.argv[1:]))
