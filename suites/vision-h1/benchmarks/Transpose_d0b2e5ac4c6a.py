"""Transpose alone: `python Transpose_d0b2e5ac4c6a.py [--threads N] [--json]`.

Benchmark d0b2e5ac4c6a2868d351315ac9dc46cb63f465ff6db4bfa32e2372c7230ad82c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d0b2e5ac4c6a2868d351315ac9dc46cb63f465ff6db4bfa32e2372c7230ad82c', SUITE, sys.argv[1:]))
