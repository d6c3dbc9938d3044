"""Transpose alone: `python Transpose_7407c142a0ad.py [--threads N] [--json]`.

Benchmark 7407c142a0ad7380482d0698d4b9f31e602de75d1c3c07aa0b33d6e2ec6a2499,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7407c142a0ad7380482d0698d4b9f31e602de75d1c3c07aa0b33d6e2ec6a2499', SUITE, sys.argv[1:]))
