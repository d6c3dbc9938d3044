"""Concat alone: `python Concat_c2990d774f9e.py [--threads N] [--json]`.

Benchmark c2990d774f9ef0c44ed4bb8f06f54d0077f2584a4ba87982bc2fe1f529f9cbe5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c2990d774f9ef0c44ed4bb8f06f54d0077f2584a4ba87982bc2fe1f529f9cbe5', SUITE, sys.argv[1:]))
