"""Concat alone: `python Concat_c8d3cb32635b.py [--threads N] [--json]`.

Benchmark c8d3cb32635b26db7f848d2cf8e4246d55f95d541cca85d49a69a8ae171a7ab2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c8d3cb32635b26db7f848d2cf8e4246d55f95d541cca85d49a69a8ae171a7ab2', SUITE, sys.argv[1:]))
