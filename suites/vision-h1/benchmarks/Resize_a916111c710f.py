"""Resize alone: `python Resize_a916111c710f.py [--threads N] [--json]`.

Benchmark a916111c710f06135a3497c2ec3be003d37d7a46090897c8c33927f53d0cde23,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a916111c710f06135a3497c2ec3be003d37d7a46090897c8c33927f53d0cde23', SUITE, sys.argv[1:]))
