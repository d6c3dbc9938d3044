"""Transpose alone: `python Transpose_abbee3b93b29.py [--threads N] [--json]`.

Benchmark abbee3b93b293b4bf99417d8d8839caecf490f2c50cb56d5de44f7529ee01a30,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('abbee3b93b293b4bf99417d8d8839caecf490f2c50cb56d5de44f7529ee01a30', SUITE, sys.argv[1:]))
