"""Transpose alone: `python Transpose_2779204d6740.py [--threads N] [--json]`.

Benchmark 2779204d67409635b8ce93d835d86cd58fd5c6ca0b5a0568eb3eed88f5a8c0d4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2779204d67409635b8ce93d835d86cd58fd5c6ca0b5a0568eb3eed88f5a8c0d4', SUITE, sys.argv[1:]))
