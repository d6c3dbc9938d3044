"""Slice alone: `python Slice_607f8e0b5733.py [--threads N] [--json]`.

Benchmark 607f8e0b57330453788e0e237700822678504a760f49043b494e82be23ecc38f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('607f8e0b57330453788e0e237700822678504a760f49043b494e82be23ecc38f', SUITE, sys.argv[1:]))
