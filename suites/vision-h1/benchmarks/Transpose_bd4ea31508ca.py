"""Transpose alone: `python Transpose_bd4ea31508ca.py [--threads N] [--json]`.

Benchmark bd4ea31508ca34cb865f28071f004a3b37501cdaec80080a33451a4a8a98b818,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bd4ea31508ca34cb865f28071f004a3b37501cdaec80080a33451a4a8a98b818', SUITE, sys.argv[1:]))
