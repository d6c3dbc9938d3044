"""Slice alone: `python Slice_07f1f8509d57.py [--threads N] [--json]`.

Benchmark 07f1f8509d5764feda4f0363d858de9a2c2157b3683f81c67f09d4d64d239cea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('07f1f8509d5764feda4f0363d858de9a2c2157b3683f81c67f09d4d64d239cea', SUITE, sys.argv[1:]))
