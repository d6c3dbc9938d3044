"""Transpose alone: `python Transpose_f96edf15928b.py [--threads N] [--json]`.

Benchmark f96edf15928b71e614d1d34c8b1e3f9d4915ed2ef88b4154591077c09f119903,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f96edf15928b71e614d1d34c8b1e3f9d4915ed2ef88b4154591077c09f119903', SUITE, sys.argv[1:]))
