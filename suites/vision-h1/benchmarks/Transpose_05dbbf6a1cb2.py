"""Transpose alone: `python Transpose_05dbbf6a1cb2.py [--threads N] [--json]`.

Benchmark 05dbbf6a1cb263e2015d0c4b15996ae63626079ba7313cddc8fd393b575a648f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('05dbbf6a1cb263e2015d0c4b15996ae63626079ba7313cddc8fd393b575a648f', SUITE, sys.argv[1:]))
