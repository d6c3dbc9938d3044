"""Transpose alone: `python Transpose_6b8e155ca9a4.py [--threads N] [--json]`.

Benchmark 6b8e155ca9a4ae9134d63bb875b3639d6e0d0448607478906aebe5e8ad914e82,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b8e155ca9a4ae9134d63bb875b3639d6e0d0448607478906aebe5e8ad914e82', SUITE, sys.argv[1:]))
