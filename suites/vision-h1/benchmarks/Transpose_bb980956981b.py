"""Transpose alone: `python Transpose_bb980956981b.py [--threads N] [--json]`.

Benchmark bb980956981baed0d0b46d566f50b84cb539fbc930fd249c435516d71fe12e16,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bb980956981baed0d0b46d566f50b84cb539fbc930fd249c435516d71fe12e16', SUITE, sys.argv[1:]))
