"""Concat alone: `python Concat_d5295aeb65e2.py [--threads N] [--json]`.

Benchmark d5295aeb65e2c0e63b90b07cc6db3ff3af77cd1c458459c651a3d46cac92e8f0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5295aeb65e2c0e63b90b07cc6db3ff3af77cd1c458459c651a3d46cac92e8f0', SUITE, sys.argv[1:]))
