"""Relu alone: `python Relu_030949d5e584.py [--threads N] [--json]`.

Benchmark 030949d5e584c024b26937da7907f1009a0df520fde3a9346c9ebb5db8659304,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('030949d5e584c024b26937da7907f1009a0df520fde3a9346c9ebb5db8659304', SUITE, sys.argv[1:]))
