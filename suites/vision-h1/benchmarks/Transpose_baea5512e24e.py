"""Transpose alone: `python Transpose_baea5512e24e.py [--threads N] [--json]`.

Benchmark baea5512e24e15aa4b92c3a28b0385d0640a29522c9034c53aba7658060e77c4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('baea5512e24e15aa4b92c3a28b0385d0640a29522c9034c53aba7658060e77c4', SUITE, sys.argv[1:]))
