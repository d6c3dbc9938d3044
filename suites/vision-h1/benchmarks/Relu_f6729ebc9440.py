"""Relu alone: `python Relu_f6729ebc9440.py [--threads N] [--json]`.

Benchmark f6729ebc9440b245b626b115dc81dafd3922333ac3defdcc64f92fbefa4551d8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f6729ebc9440b245b626b115dc81dafd3922333ac3defdcc64f92fbefa4551d8', SUITE, sys.argv[1:]))
