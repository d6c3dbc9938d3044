"""Transpose alone: `python Transpose_9d49be864886.py [--threads N] [--json]`.

Benchmark 9d49be864886b951b6a4c66a4d10751b6d60e4517e796965d69b5be55555450a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9d49be864886b951b6a4c66a4d10751b6d60e4517e796965d69b5be55555450a', SUITE, sys.argv[1:]))
