"""Transpose alone: `python Transpose_d0e3ba366a7a.py [--threads N] [--json]`.

Benchmark d0e3ba366a7a721701c17e7d44ed8a577ca83100c8111eb0c94b4471f4f03527,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d0e3ba366a7a721701c17e7d44ed8a577ca83100c8111eb0c94b4471f4f03527', SUITE, sys.argv[1:]))
