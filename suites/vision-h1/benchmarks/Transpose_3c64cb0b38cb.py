"""Transpose alone: `python Transpose_3c64cb0b38cb.py [--threads N] [--json]`.

Benchmark 3c64cb0b38cb737551ba90b9c5181d06bbcb4bd18e7b75a3e4828423a72d8052,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3c64cb0b38cb737551ba90b9c5181d06bbcb4bd18e7b75a3e4828423a72d8052', SUITE, sys.argv[1:]))
