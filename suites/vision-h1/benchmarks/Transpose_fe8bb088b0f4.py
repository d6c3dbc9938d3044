"""Transpose alone: `python Transpose_fe8bb088b0f4.py [--threads N] [--json]`.

Benchmark fe8bb088b0f466940b5a3c686ae37c3ae06f7572307da56f0bc22e4af4cfa260,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fe8bb088b0f466940b5a3c686ae37c3ae06f7572307da56f0bc22e4af4cfa260', SUITE, sys.argv[1:]))
