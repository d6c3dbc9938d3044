"""Transpose alone: `python Transpose_40791cb77540.py [--threads N] [--json]`.

Benchmark 40791cb77540b037d8cd29f35aadc40f5750a184929dee9b5403a409ce96cdd8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('40791cb77540b037d8cd29f35aadc40f5750a184929dee9b5403a409ce96cdd8', SUITE, sys.argv[1:]))
