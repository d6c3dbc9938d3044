"""Relu alone: `python Relu_8b4372531e82.py [--threads N] [--json]`.

Benchmark 8b4372531e827cf927ef5268e4909469720f95c51e489f154aef07d589eb6333,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8b4372531e827cf927ef5268e4909469720f95c51e489f154aef07d589eb6333', SUITE, sys.argv[1:]))
