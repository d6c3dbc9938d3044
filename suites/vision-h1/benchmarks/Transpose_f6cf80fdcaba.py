"""Transpose alone: `python Transpose_f6cf80fdcaba.py [--threads N] [--json]`.

Benchmark f6cf80fdcaba2bc8aba16cf95b8d57e9a70cb0ae8d0824f50baf9e78e5f31c8b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f6cf80fdcaba2bc8aba16cf95b8d57e9a70cb0ae8d0824f50baf9e78e5f31c8b', SUITE, sys.argv[1:]))
