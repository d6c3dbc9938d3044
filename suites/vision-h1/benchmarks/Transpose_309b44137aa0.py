"""Transpose alone: `python Transpose_309b44137aa0.py [--threads N] [--json]`.

Benchmark 309b44137aa0f1facbfc47efacd9c16fad1c374025d90131c5021fc52ae2ed64,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('309b44137aa0f1facbfc47efacd9c16fad1c374025d90131c5021fc52ae2ed64', SUITE, sys.argv[1:]))
