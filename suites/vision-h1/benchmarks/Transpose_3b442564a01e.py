"""Transpose alone: `python Transpose_3b442564a01e.py [--threads N] [--json]`.

Benchmark 3b442564a01e5e3a55e0a0eebe1b0ca2aa7a8c85d32d363814c7179c75248b8a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b442564a01e5e3a55e0a0eebe1b0ca2aa7a8c85d32d363814c7179c75248b8a', SUITE, sys.argv[1:]))
