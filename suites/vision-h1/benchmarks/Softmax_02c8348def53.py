"""Softmax alone: `python Softmax_02c8348def53.py [--threads N] [--json]`.

Benchmark 02c8348def53a7c2f0b83d2494f7bcd02b1e99715aac55f598bd04960bce8a4b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('02c8348def53a7c2f0b83d2494f7bcd02b1e99715aac55f598bd04960bce8a4b', SUITE, sys.argv[1:]))
