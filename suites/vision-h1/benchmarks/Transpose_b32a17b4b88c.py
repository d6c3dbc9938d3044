"""Transpose alone: `python Transpose_b32a17b4b88c.py [--threads N] [--json]`.

Benchmark b32a17b4b88c546ead258d5ab07961751f0bacf315cc6d707d9060e130fd6b95,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b32a17b4b88c546ead258d5ab07961751f0bacf315cc6d707d9060e130fd6b95', SUITE, sys.argv[1:]))
