"""Transpose alone: `python Transpose_f84a638f1fc2.py [--threads N] [--json]`.

Benchmark f84a638f1fc2f6adcc5cd0ff200ebee22d40f98365d1bc3adebf3e2d5230f9e1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f84a638f1fc2f6adcc5cd0ff200ebee22d40f98365d1bc3adebf3e2d5230f9e1', SUITE, sys.argv[1:]))
