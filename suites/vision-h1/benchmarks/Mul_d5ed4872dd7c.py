"""Mul alone: `python Mul_d5ed4872dd7c.py [--threads N] [--json]`.

Benchmark d5ed4872dd7ccd438da2b90c16edfea44299c81fbfcd0517d167dc48fc5cc193,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5ed4872dd7ccd438da2b90c16edfea44299c81fbfcd0517d167dc48fc5cc193', SUITE, sys.argv[1:]))
